package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Ends the session of the shoe if it is active, otherwise starts one. Without a shoe it ends the active session
    /// or starts the default shoe.
    package func toggleShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch {
        let active = try await ports.shoes.sessions().active
        if let active, id == nil || id == active.shoe { return try await stopShoe() }
        return try await startShoe(id)
    }
}
