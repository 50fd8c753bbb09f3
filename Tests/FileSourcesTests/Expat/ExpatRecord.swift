import HealthSyncDomain
import HealthSyncTestKit

/// A record in the format of `expat_reader.py`.
struct ExpatRecord: Codable, Hashable {
    var type: String
    var sourceName: String
    var device: String
    var start: Int64
    var end: Int64
    var value: String?
    var unit: String?
    var metadata: [String: String?]

    /// Returns the value of the metadata entry `key`.
    func says(_ key: String) -> String? { metadata[key] ?? nil }

    /// Whether an entry has no key, which the reader writes as `null`, or no value.
    var hasUnreadableMetadata: Bool { metadata.contains { $0.key == "null" || $0.value == nil } }

    /// The interval in milliseconds.
    var interval: InstantRange {
        InstantRange(start: Instant(milliseconds: start), end: Instant(milliseconds: end))
    }

    /// Whether the interval is in the years 1900 to 2200.
    var isPlausible: Bool { start >= -2_208_988_800_000 && end < 7_289_654_400_000 }

    /// The properties of a sample that must agree with a record whatever its value.
    struct Place: Hashable {
        var type: String
        var sourceName: String
        var device: String
        var start: Int64
        var end: Int64
    }

    var place: Place { Place(type: type, sourceName: sourceName, device: device, start: start, end: end) }
}

extension ExpatRecord.Place {
    init(_ sample: SourceSample) {
        self.init(
            type: sample.type.rawValue, sourceName: sample.origin.sourceName, device: sample.origin.device,
            start: sample.interval.start.milliseconds, end: sample.interval.end.milliseconds)
    }
}
