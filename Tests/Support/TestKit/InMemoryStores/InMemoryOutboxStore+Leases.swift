package import HealthSyncDomain
import Synchronization

extension InMemoryOutboxStore {
    package func expireLeases(destination: String, now: Instant) async throws {
        stores.state.withLock { state in
            for (id, batch) in state.outbox.batches where batch.content.destination == destination {
                if let lease = batch.lease { state.outbox.batches[id]?.lease?.until = min(lease.until, now) }
            }
            for (id, entry) in state.outbox.entries where entry.item.content.destination == destination {
                if let lease = entry.lease { state.outbox.entries[id]?.lease?.until = min(lease.until, now) }
            }
        }
    }
}
