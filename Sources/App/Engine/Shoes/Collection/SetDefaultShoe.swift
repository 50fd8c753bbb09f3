package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Makes a shoe the default from today on; `nil` for none. An archived shoe cannot be the default.
    package func setDefaultShoe(_ id: Shoe.ID?) async throws -> Shoe? {
        var change = ShoeChange()
        change.shoes = try await withoutDefault().filter { $0.id != id }
        var shoe: Shoe?
        if let id {
            var chosen = try await wearableShoe(id)
            chosen.defaultSince = chosen.defaultSince ?? ports.time.now()
            change.shoes.append(chosen)
            shoe = chosen
        }
        try await ports.shoes.commit(change)
        return shoe
    }

    /// Returns the default shoe, if any, without its default flag.
    func withoutDefault() async throws -> [Shoe] {
        try await ports.shoes.shoes().filter(\.isDefault).map { shoe in
            var shoe = shoe
            shoe.defaultSince = nil
            return shoe
        }
    }
}
