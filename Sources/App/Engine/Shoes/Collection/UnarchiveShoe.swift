package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Restores an archived shoe. Idempotent.
    package func unarchiveShoe(_ id: Shoe.ID) async throws -> Shoe {
        var shoe = try await shoe(id)
        guard shoe.isArchived else { return shoe }
        shoe.archivedAt = nil
        try await store(shoe)
        return shoe
    }
}
