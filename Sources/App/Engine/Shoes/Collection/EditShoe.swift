package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Replaces the details of a shoe.
    package func editShoe(_ id: Shoe.ID, _ details: ShoeDetails) async throws -> Shoe {
        var shoe = try await shoe(id)
        shoe.details = try details.checked(today: today)
        try await store(shoe)
        return shoe
    }
}
