package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Takes the shoe off if it is worn, else puts it on. Without a shoe it takes off what is worn, or puts the default
    /// one on.
    package func toggleShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch {
        let active = try await ports.shoes.sessions().active
        if let active, id == nil || id == active.shoe { return try await stopShoe() }
        return try await startShoe(id)
    }
}
