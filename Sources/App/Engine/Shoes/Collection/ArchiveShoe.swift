package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Puts a shoe away: it keeps its sessions and totals, is default no more and cannot be started. One that is worn
    /// must be stopped first. Safe to repeat.
    package func archiveShoe(_ id: Shoe.ID) async throws -> Shoe {
        var shoe = try await shoe(id)
        guard try await ports.shoes.sessions().active?.shoe != id else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is being worn", advice: "stop it first: `healthsync shoes stop`")
        }
        guard !shoe.isArchived else { return shoe }
        shoe.archivedAt = ports.time.now()
        shoe.defaultSince = nil
        try await store(shoe)
        return shoe
    }
}
