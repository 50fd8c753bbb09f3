import HealthSyncDomain
import HealthSyncPorts

/// A source that reports wrong totals.
struct MiscountingSource: HealthDataSource {
    let source: MemorySource
    /// Added to the number of records that it reports.
    let error: Int

    var location: String { source.location }
    var provider: String { source.provider }
    var semantics: SourceSemantics { source.semantics }

    func fingerprint() async throws -> SourceFingerprint { try await source.fingerprint() }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        var reading = try await source.read(selection, receive: receive)
        reading.recordsRead += error
        return reading
    }
}
