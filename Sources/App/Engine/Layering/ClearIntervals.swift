import HealthSyncDomain
import HealthSyncPorts

/// Deletes all intervals and their queued items, and on request the steps on the server. Local samples and results do
/// not change.
package struct ClearIntervals: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Deletes the intervals; returns their number.
    ///
    /// - Parameter onServer: whether to delete all raw steps on the server, too.
    /// - Throws: `SyncFailure` with `.configuration`, before anything is deleted, for a server that cannot delete its
    ///   steps.
    package func run(onServer: Bool) async throws -> Int {
        if onServer, ports.server?.eraser == nil {
            throw SyncFailure(
                .configuration, subject: ports.server?.address ?? "--server",
                reason: "this destination cannot delete its steps", advice: "use --local alone")
        }
        // Delete locally first. In the opposite order, an interruption would leave intervals marked as synced that the
        // server no longer has.
        let count = try await LayeringService(ports: ports, limits: settings.layering).clearAllIntervals()
        if onServer, let server = ports.server {
            try await ports.verifications.setLastVerification(nil, of: server.address)
            try await server.eraser?.deleteAllSteps()
        }
        return count
    }
}
