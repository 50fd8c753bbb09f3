import Foundation
import HealthSyncDomain
import HealthSyncTestKit

/// The expected content of a folder of feed files, from the script that wrote them.
struct FeedTruth: Decodable {
    var type: String
    var start: Int64
    var length: Int64
    var value: Double
    var bucket: Bool
    var source: String
    var minimum: Double?
    var maximum: Double?
    var stateMilliseconds: Int64?

    /// The identity of a measurement, which a later value replaces.
    struct Key: Hashable {
        var type: String
        var start: Int64
        var length: Int64
        var source: String
        var bucket: Bool
        /// The state, if several share an interval.
        var state: Double?
    }

    var key: Key {
        Key(
            type: type, start: start, length: length, source: source, bucket: bucket,
            state: type == "SleepAnalysis" ? value : nil)
    }

    func isSame(as other: FeedTruth) -> Bool {
        key == other.key && (value - other.value).magnitude <= 1e-9 * value.magnitude && minimum == other.minimum
            && maximum == other.maximum && stateMilliseconds == other.stateMilliseconds
    }
}

extension FeedTruth {
    init(_ sample: SourceSample) {
        let short = sample.type.shortName
        self.init(
            type: short.prefix(1).uppercased() + short.dropFirst(), start: sample.interval.start.milliseconds,
            length: sample.interval.milliseconds, value: sample.value, bucket: sample.origin.isPreAggregated,
            source: sample.origin.sourceName, minimum: sample.detail?.minimum, maximum: sample.detail?.maximum,
            stateMilliseconds: sample.detail?.stateMilliseconds)
    }
}
