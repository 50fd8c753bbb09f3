import HealthSyncDomain
import HealthSyncPorts

/// The server whose state is displayed.
package struct DisplayedServer: Sendable, Hashable {
    /// Its base address.
    package var destination: String
    /// Whether it is configured; otherwise it is the only server in the database.
    package var isConfigured: Bool
}

/// Finds the server whose state is displayed.
package struct ServerReview: Sendable {
    let ports: EnginePorts

    /// Returns the configured server, otherwise the only one that was ever offered any records; `nil` if there are
    /// none or several.
    package func run() async throws -> DisplayedServer? {
        if let server = ports.server {
            return DisplayedServer(destination: server.address, isConfigured: true)
        }
        let known = try await ports.outbox.destinations()
        guard let only = known.first, known.count == 1 else { return nil }
        return DisplayedServer(destination: only, isConfigured: false)
    }
}
