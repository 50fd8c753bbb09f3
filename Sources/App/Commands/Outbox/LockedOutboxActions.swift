import HealthSyncEngine
import HealthSyncPorts

/// Changes the outbox on behalf of the dashboard, which otherwise only reads. Each action takes the run lock and opens
/// the database for writing.
struct LockedOutboxActions: OutboxActions {
    let context: CommandContext
    let settings: Settings

    func retry(ids: [Int64]?) async throws -> Int {
        // Do not create a new database if the user deleted this one while the dashboard was running.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await $0.outbox.retry(ids: ids) }
    }
}
