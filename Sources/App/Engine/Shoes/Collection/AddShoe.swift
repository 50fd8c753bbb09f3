package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Adds a shoe to the collection. If `isDefault`, it replaces the current default shoe.
    package func addShoe(_ details: ShoeDetails, isDefault: Bool) async throws -> Shoe {
        let now = ports.time.now()
        var shoe = Shoe(id: newID(), details: try details.checked(today: today), addedAt: now)
        var change = ShoeChange()
        if isDefault {
            shoe.defaultSince = now
            change.shoes = try await withoutDefault()
        }
        change.shoes.append(shoe)
        try await ports.shoes.commit(change)
        return shoe
    }
}
