package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory outbox.
package struct InMemoryOutboxStore: OutboxStore {
    let stores: InMemoryStores

    package func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease? {
        stores.state.withLock { state in
            state.outbox.claimBatch(destination: destination, owner: owner, now: now, leaseUntil: leaseUntil)
        }
    }

    package func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64) {
        stores.state.withLock { state in
            state.outbox.claimItems(
                destination: destination, kinds: kinds, limit: limit, byteLimit: byteLimit,
                lease: (owner, leaseUntil), now: now)
        }
    }

    package func freeze(
        _ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant
    ) async throws -> BatchLease? {
        stores.state.withLock { state in
            state.outbox.freeze(batch, lease: .init(owner: owner, fence: fence, until: leaseUntil))
        }
    }

    package func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool {
        let now = stores.time.now()
        return try stores.state.withLock { try $0.outbox.split(lease, into: parts, now: now) }
    }

    package func settle(
        _ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant
    ) async throws -> Bool {
        stores.state.withLock { state in
            guard let batchID = state.outbox.batchID(of: lease) else { return false }
            let slices = lease.batch.itemIDs.compactMap { state.outbox.entries[$0]?.item.content }
            for (index, id) in lease.batch.itemIDs.enumerated() {
                state.outbox.entries[id]?.item.attempts += 1
                if index < verdicts.count, case .samples(let samples) = verdicts[index] {
                    let isOne = lease.batch.isOneSample(index)
                    state.outbox.settle(id, samples, isOneSample: isOne, status: status, now: now)
                    continue
                }
                let verdict = index < verdicts.count ? verdicts[index] : .retry
                if let backendID = verdict.backendID {
                    state.outbox.settle(id, isDropped: false, status: status, backendID: backendID, now: now)
                    continue
                }
                var reason: String?
                if case .rejected(let why) = verdict { reason = why }
                state.outbox.release(id, to: reason == nil ? .pending : .dead, now: now)
                state.outbox.entries[id]?.item.lastStatus = status
                state.outbox.entries[id]?.item.lastReason = reason
            }
            state.outbox.batches[batchID] = nil
            state.markSynced(slices, now: now)
            return true
        }
    }

    package func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool {
        stores.state.withLock { state in
            guard let batchID = state.outbox.batchID(of: lease) else { return false }
            state.outbox.batches[batchID]?.lease = nil
            state.outbox.batches[batchID]?.notBefore = notBefore
            state.outbox.batches[batchID]?.content.sendCount += 1
            for id in lease.batch.itemIDs {
                state.outbox.release(id, to: .pending, batchID: batchID, now: now)
                state.outbox.entries[id]?.item.lastStatus = status
                state.outbox.entries[id]?.item.lastReason = reason
            }
            return true
        }
    }

    package func setDestinationState(_ destinationState: DestinationState, of destination: String) async throws {
        stores.state.withLock { $0.outbox.destinations[destination] = destinationState }
    }

    package func offer(_ metrics: Set<HealthMetric>, to destination: String) async throws {
        stores.state.withLock { state in
            guard let former = state.outbox.formerDeliveries[destination], !metrics.isSubset(of: former.metrics) else {
                return
            }
            state.outbox.formerDeliveries[destination]?.metrics.formUnion(metrics)
            state.complete[.server(destination)] = nil
        }
    }

    package func endFormerDelivery(of destination: String) async throws {
        stores.state.withLock { state in
            guard state.outbox.formerDeliveries.removeValue(forKey: destination) != nil else { return }
            state.complete[.server(destination)] = nil
        }
    }

    package func retry(ids: [Int64]?) async throws -> Int {
        let now = stores.time.now()
        return stores.state.withLock { state in
            let chosen = state.outbox.dead(ids)
            for id in chosen { state.outbox.release(id, to: .pending, now: now) }
            return chosen.count
        }
    }

    package func drop(ids: [Int64]?) async throws -> Int {
        let now = stores.time.now()
        return stores.state.withLock { state in
            let chosen = state.outbox.dead(ids)
            for id in chosen {
                if state.outbox.entries[id]?.item.content.slice == nil {
                    state.outbox.settle(id, isDropped: true, status: nil, now: now)
                } else {
                    state.outbox.entries[id] = nil
                }
            }
            return chosen.count
        }
    }

    package func forget(destination: String) async throws -> Int {
        stores.state.withLock { state in
            let items = state.outbox.entries.filter { $0.value.item.content.destination == destination }.keys
            let batches = Set(items.compactMap { state.outbox.entries[$0]?.batchID })
            for id in items { state.outbox.entries[id] = nil }
            for id in batches { state.outbox.batches[id] = nil }
            state.outbox.ledger = state.outbox.ledger.filter { $0.key.destination != destination }
            state.outbox.destinations[destination] = nil
            state.outbox.formerDeliveries[destination] = nil
            state.verifications[destination] = nil
            state.complete[.server(destination)] = nil
            for type in state.layering.keys {
                let kept = state.layering[type]?.deliveries.filter { $0.key.destination != destination }
                state.layering[type]?.deliveries = kept ?? [:]
            }
            return items.count
        }
    }

    package func enqueue(_ items: [NewOutboxItem]) async throws -> Int {
        let now = stores.time.now()
        return stores.state.withLock { $0.outbox.enqueue(items, now: now) }
    }

    package func forgetDelivered(destination: String, days: DayRange) async throws {
        stores.state.withLock { state in
            for key in state.recordKeys(destination: destination, days: days) { state.outbox.ledger[key] = nil }
            state.complete[.server(destination)] = nil
        }
    }
}

extension ItemVerdict {
    /// The id of the destination, if it has the item; `.some(nil)` if it stated none.
    fileprivate var backendID: String?? {
        switch self {
        case .delivered: .some(nil)
        case .stored(let backendID): backendID
        case .rejected, .retry, .samples: nil
        }
    }
}
