import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Returns the failure of a run without sources; `nil` if it has sources, or is a historical run over stored
    /// days.
    func missingInput(_ coverage: Coverage, sources: [any HealthDataSource]) async throws -> SyncFailure? {
        guard sources.isEmpty else { return nil }
        let isEmpty = try await knownDays() == nil
        guard isEmpty || coverage.scope == .daily else { return nil }
        return SyncFailure(
            .noInput, subject: "sources", reason: "no source was given, so nothing was imported",
            advice: "name a file with --source, or configure \"sources\"")
    }
}
