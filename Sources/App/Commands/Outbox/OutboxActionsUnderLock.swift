import HealthSyncEngine
import HealthSyncPorts

/// Changes the outbox for a program that otherwise only reads: each action takes the run's lock and opens the database
/// for writing, for its own moment alone.
struct OutboxActionsUnderLock: OutboxActions {
    let context: CommandContext
    let settings: Settings

    func retry(ids: [Int64]?) async throws -> Int {
        // Pages of a database that is no more change none, and make none.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await $0.ports.outbox.retry(ids: ids) }
    }
}
