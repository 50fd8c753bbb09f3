package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Takes a shoe into the collection; as the default one, if `isDefault`, in the place of another.
    package func addShoe(_ details: ShoeDetails, isDefault: Bool) async throws -> Shoe {
        let now = ports.time.now()
        var shoe = Shoe(id: newID(), details: try details.checked(today: today()), addedAt: now)
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
