import HealthSyncDomain
import HealthSyncPorts

extension SyncCommit {
    /// Adds what the commit stores and deletes to the outbox, deletions last, without what the `former` delivery omits.
    mutating func enqueue(for destination: HealthDestination, former: FormerDelivery? = nil) {
        outbox += progress.filter { former?.offers($0.record.metric, on: $0.record.day) ?? true }
            .map { destination.item(for: $0) }
        outbox += sleep.map { destination.item(for: $0) }
        outbox += snapshots.map { destination.item(for: $0) }
        outbox += removed.map { destination.tombstone($0) }
    }
}
