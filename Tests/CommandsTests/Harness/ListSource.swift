import HealthSyncDomain
import HealthSyncPorts

/// A feed or snapshot in memory: two days of steps, heart rate, and one night.
struct ListSource: HealthDataSource {
    let location: String
    var provider = "list"
    var semantics = SourceSemantics.snapshot
    /// Where the source is truncated; `nil` for a complete one.
    var incompleteAtByte: Int64?
    /// Number of rejected records, by reason.
    var rejected: [String: Int] = [:]
    /// Number of skipped elements, by name.
    var skippedElements: [String: Int] = [:]
    /// A problem at the first byte; `nil` for none.
    var problem: String?
    /// The name of the watch.
    var sourceName = "Anna’s Apple Watch"

    func fingerprint() async throws -> SourceFingerprint {
        SourceFingerprint(path: location, content: "\(rejected.count) \(incompleteAtByte ?? 0)")
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        var reading = SourceReading()
        var tables = SampleBatch.Tables()
        tables.origins = [SampleOrigin(sourceName: sourceName, device: "name:Apple Watch")]
        tables.types = [.stepCount, .heartRate, .sleepAnalysis]
        let wanted = Set(selection.types.map(\.type))
        var batch = SampleBatch(tables: tables)
        for (type, start, minutes, value) in Self.samples {
            reading.recordsRead += 1
            guard wanted.contains(tables.types[type].type) || selection.includesOtherTypes else {
                reading.notSelected += 1
                continue
            }
            guard let instant = RFC3339.instant(start) else { continue }
            batch.types.append(UInt16(type))
            batch.origins.append(0)
            batch.starts.append(instant.milliseconds)
            batch.durations.append(Int64(minutes) * 60_000)
            batch.values.append(value)
            batch.zones.append(0)
        }
        try receive(batch)
        reading.rejected = rejected
        reading.skippedElements = skippedElements
        if let problem { reading.note(problem, at: 0) }
        reading.recordsRead += rejected.values.reduce(0, +)
        reading.incompleteAtByte = incompleteAtByte
        if incompleteAtByte != nil { reading.note("the file ends within a record", at: incompleteAtByte) }
        reading.exportDate = RFC3339.instant("2024-01-15T11:00:00Z")
        return reading
    }

    private static let samples: [(type: Int, start: String, minutes: Int, value: Double)] = [
        (0, "2024-01-14T08:00:00Z", 10, 1_000), (0, "2024-01-14T09:00:00Z", 10, 200),
        (0, "2024-01-15T08:00:00Z", 10, 1_250), (1, "2024-01-15T08:00:00Z", 0, 60), (1, "2024-01-15T08:05:00Z", 0, 80),
        (2, "2024-01-14T22:00:00Z", 240, 3), (2, "2024-01-15T02:00:00Z", 30, 2), (2, "2024-01-15T02:30:00Z", 210, 4),
    ]
}
