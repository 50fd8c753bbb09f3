import HealthSyncDomain
import HealthSyncPorts

extension SyncCommit {
    /// Adds everything that the commit stores and deletes to the outbox, deletions last.
    mutating func enqueue(for destination: HealthDestination) {
        outbox += progress.map { destination.item(for: $0) }
        outbox += sleep.map { destination.item(for: $0) }
        outbox += snapshots.map { destination.item(for: $0) }
        outbox += removed.map { destination.tombstone($0) }
    }
}
