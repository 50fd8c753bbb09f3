import HealthSyncDomain
import HealthSyncPorts

extension SyncCommit {
    /// Adds the stored records to the outbox, and then the deleted ones.
    mutating func enqueue(with encoder: any OutboxEncoder) {
        outbox += progress.map { encoder.item(for: $0) }
        outbox += sleep.map { encoder.item(for: $0) }
        outbox += snapshots.map { encoder.item(for: $0) }
        outbox += removed.map { encoder.tombstone($0) }
    }
}
