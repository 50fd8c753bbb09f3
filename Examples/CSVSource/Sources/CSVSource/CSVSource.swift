import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A CSV file with one sample per line.
public struct CSVSource: HealthDataSource {
    /// The path of the file.
    public let location: String

    /// Creates a source of the file at `path`.
    public init(path: String) { location = path }

    /// The name of the format.
    public var provider: String { "csv" }
    /// A file adds samples and deletes none.
    public var semantics: SourceSemantics { .feed }

    /// Returns the size and the time of the last change.
    public func fingerprint() async throws -> SourceFingerprint {
        try await BlockingWork.run { [location] _ in
            _ = try LineReader(path: location)
            let attributes = try FileManager.default.attributesOfItem(atPath: location)
            let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return SourceFingerprint(path: location, content: "\(attributes[.size] ?? 0) \(changed)")
        }
    }

    /// Delivers the selected rows.
    public func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        try await BlockingWork.run { [location] cancellation in
            let file = try LineReader(path: location)
            guard try file.next()?.text == CSVFormat.header else {
                throw SyncFailure(
                    .badInput, subject: location, reason: "not a CSV file of samples",
                    advice: "begin it with the line \(CSVFormat.header)")
            }
            var samples = SampleCollector(selection, receive: receive)
            while let line = try file.next() {
                try cancellation.check()
                if !line.isTerminated {
                    samples.breakOff(at: line.offset)
                } else if let row = CSVRow(line.text) {
                    try samples.add(row.sample(of: samples.type(named: row.type)), at: line.offset)
                } else {
                    samples.reject("not a row of a sample", at: line.offset)
                }
            }
            return try samples.finish()
        }
    }
}
