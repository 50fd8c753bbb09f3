package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Archives a shoe. It keeps its sessions and totals, but can be neither started nor the default. A shoe that is
    /// being worn is rejected. Idempotent.
    package func archiveShoe(_ id: Shoe.ID) async throws -> Shoe {
        var shoe = try await shoe(id)
        guard try await ports.shoes.sessions().active?.shoe != id else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is being worn",
                advice: "end it with `healthsync shoes stop` first")
        }
        guard !shoe.isArchived else { return shoe }
        shoe.archivedAt = ports.time.now()
        shoe.defaultSince = nil
        try await store(shoe)
        return shoe
    }
}
