import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Changes shoes on behalf of the dashboard, which otherwise only reads. Each action takes the run lock and opens the
/// database for writing. Throws `.busy` during another run.
struct LockedShoeActions: ShoeActions {
    let context: CommandContext
    let settings: Settings

    func run<Result: Sendable>(_ action: ShoeAction<Result>) async throws -> Result {
        // Do not create a new database if the user deleted this one while the dashboard was running.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await $0.shoes.run(action) }
    }
}
