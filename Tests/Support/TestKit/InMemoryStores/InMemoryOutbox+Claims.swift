import HealthSyncDomain

extension InMemoryOutbox {
    mutating func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) -> BatchLease? {
        let due = batches.filter { _, batch in
            batch.content.destination == destination && batch.lease.map { $0.until <= now } ?? true
                && batch.notBefore.map { $0 <= now } ?? true
        }
        guard let (id, batch) = due.min(by: { $0.key < $1.key }) else { return nil }
        let lease = Lease(owner: owner, fence: nextFence(of: destination), until: leaseUntil)
        batches[id]?.lease = lease
        batches[id]?.notBefore = nil
        for entry in entries.values where entry.batchID == id { take(entry.item.id, lease, now: now) }
        return BatchLease(batch: batch.content, owner: owner, fence: lease.fence)
    }

    mutating func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, lease: (owner: String, until: Instant),
        now: Instant
    ) -> (items: [OutboxItem], fence: Int64) {
        for entry in entries.values
        where entry.item.content.destination == destination && entry.batchID == nil
            && entry.lease.map({ $0.until <= now }) ?? false
        {
            entries[entry.item.id]?.lease = nil
            entries[entry.item.id]?.item.state = .pending
        }
        let next = nextItems(destination: destination)
        guard limit > 0, let head = next.first(where: { kinds.contains($0.content.kind) }) else { return ([], 0) }
        var chosen: [OutboxItem] = []
        var bytes = 0
        var records = 0
        for item in next
        where item.content.kind == head.content.kind && item.content.isTombstone == head.content.isTombstone {
            bytes += item.content.payload.count
            records += max(1, item.content.slice?.count ?? 1)
            guard (records <= limit && bytes <= byteLimit) || chosen.isEmpty else { break }
            chosen.append(item)
        }
        let fence = nextFence(of: destination)
        for item in chosen {
            take(item.id, Lease(owner: lease.owner, fence: fence, until: lease.until), now: now)
        }
        return (chosen.compactMap { entries[$0.id]?.item }, fence)
    }

    mutating func freeze(_ batch: OutboxBatch, lease: Lease) -> BatchLease? {
        let areHeld = batch.itemIDs.allSatisfy { id in
            guard let entry = entries[id] else { return false }
            return entry.batchID == nil && entry.item.content.destination == batch.destination
                && entry.lease?.owner == lease.owner && entry.lease?.fence == lease.fence
        }
        guard areHeld, !batch.itemIDs.isEmpty else { return nil }
        let batchID = insert(batch, lease: lease)
        for id in batch.itemIDs {
            entries[id]?.batchID = batchID
            entries[id]?.lease = lease
        }
        return BatchLease(batch: batch, owner: lease.owner, fence: lease.fence)
    }

    mutating func split(_ lease: BatchLease, into parts: [OutboxBatch], now: Instant) throws -> Bool {
        guard let whole = batchID(of: lease) else { return false }
        let members = parts.flatMap(\.itemIDs)
        guard Set(members).count == members.count, members.allSatisfy({ entries[$0]?.batchID == whole }) else {
            throw SyncFailure(
                .unexpected, subject: "outbox", reason: "a part of a request contains an item of another request",
                advice: "")
        }
        for part in parts {
            let partID = insert(part, lease: nil)
            for id in part.itemIDs {
                release(id, to: .pending, batchID: partID, now: now)
                entries[id]?.item.attempts += 1
            }
        }
        for entry in entries.values where entry.batchID == whole { release(entry.item.id, to: .pending, now: now) }
        batches[whole] = nil
        return true
    }

    private func nextItems(destination: String) -> [OutboxItem] {
        var keysUnderWay: Set<String> = []
        var next: [OutboxItem] = []
        for entry in ordered where entry.item.content.destination == destination && entry.item.state != .dead {
            let isFirst = keysUnderWay.insert(entry.item.content.orderingKey).inserted
            if isFirst, entry.item.state == .pending, entry.batchID == nil { next.append(entry.item) }
        }
        return next
    }

    private mutating func take(_ id: Int64, _ lease: Lease, now: Instant) {
        entries[id]?.lease = lease
        entries[id]?.item.state = .leased
        entries[id]?.item.updatedAt = now
    }
}
