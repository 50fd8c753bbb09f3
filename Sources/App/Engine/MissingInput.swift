import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// What a run without sources lacks; `nil` where it has some, or is to derive what is stored again.
    func missingInput(_ coverage: Coverage, sources: [any HealthDataSource]) async throws -> SyncFailure? {
        guard sources.isEmpty else { return nil }
        let isEmpty = try await knownDays() == nil
        guard isEmpty || coverage.scope == .daily else { return nil }
        return SyncFailure(
            .noInput, subject: "sources", reason: "none is named, so nothing was imported",
            advice: "name a file with --source, or sources in the configuration")
    }
}
