package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Brings a shoe back that was put away. Safe to repeat.
    package func unarchiveShoe(_ id: Shoe.ID) async throws -> Shoe {
        var shoe = try await shoe(id)
        guard shoe.isArchived else { return shoe }
        shoe.archivedAt = nil
        try await store(shoe)
        return shoe
    }
}
