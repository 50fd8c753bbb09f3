import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A CSV file with one sample per line.
public struct CSVSource: HealthDataSource {
    /// The path of the file.
    public let location: String
    private let clock: DayClock

    /// Creates a source of the file at `path`, whose times without an offset are those of `clock`.
    public init(path: String, clock: DayClock) {
        location = path
        self.clock = clock
    }

    /// The name of the format.
    public var provider: String { "csv" }
    /// A file adds samples and deletes none.
    public var semantics: SourceSemantics { .feed }

    /// Returns the size, the time of the last change, and the zones of times without an offset.
    public func fingerprint() async throws -> SourceFingerprint {
        let zones = [clock.home.identifier] + clock.residences.map { "\($0.firstDay) \($0.rules.identifier)" }
        return try await BlockingWork.run { [location] _ in
            _ = try LineReader(path: location)
            let attributes = try FileManager.default.attributesOfItem(atPath: location)
            let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            let content = "\(attributes[.size] ?? 0) \(changed) \(zones.joined(separator: " "))"
            return SourceFingerprint(path: location, content: content)
        }
    }

    /// Delivers the selected rows.
    public func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { [location, clock] cancellation in
            var file = try LineReader(path: location)
            guard try file.next()?.text == CSVFormat.header else {
                throw SyncFailure(
                    .badInput, subject: location, reason: "not a CSV file of samples",
                    advice: "begin it with the line \(CSVFormat.header)")
            }
            var samples = SampleCollector(selection, receive: receive)
            var times = WallClockTimes(clock: clock)
            while let line = try file.next() {
                try cancellation.check()
                if !line.isTerminated {
                    samples.breakOff(at: line.offset)
                } else if let row = CSVRow(line.text, &times) {
                    try samples.add(row.sample(of: samples.type(named: row.type)), at: line.offset)
                } else {
                    samples.reject("not a row of a sample", at: line.offset)
                }
            }
            return try samples.finish()
        }
    }
}
