import HealthSyncDomain
import HealthSyncPorts

/// The server of which state is shown.
package struct ShownServer: Sendable, Hashable {
    /// Its base address.
    package var destination: String
    /// Whether it is the configured one; else it is the only one that the database knows.
    package var isConfigured: Bool
}

extension SyncEngine {
    /// The server that is configured, else the only one that anything was ever offered to; `nil` where there are none or
    /// several.
    package func shownServer() async throws -> ShownServer? {
        if let server = ports.server {
            return ShownServer(destination: server.encoder.destination, isConfigured: true)
        }
        let known = try await ports.outbox.destinations()
        guard let only = known.first, known.count == 1 else { return nil }
        return ShownServer(destination: only, isConfigured: false)
    }
}
