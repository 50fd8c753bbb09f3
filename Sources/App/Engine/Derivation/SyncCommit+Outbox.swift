import HealthSyncDomain
import HealthSyncPorts

extension SyncCommit {
    /// Puts what the commit stores and what it removes into the outbox, deletions behind.
    mutating func enqueue(with encoder: any OutboxEncoder) {
        outbox += progress.map { encoder.item(for: $0) }
        outbox += sleep.map { encoder.item(for: $0) }
        outbox += snapshots.map { encoder.item(for: $0) }
        outbox += removed.map { encoder.tombstone($0) }
    }
}
