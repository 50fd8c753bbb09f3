import HealthSyncDomain

/// The state of an outbox: pending and dead items, frozen requests, and the ledger of settled items.
struct InMemoryOutbox: Sendable {
    struct Key: Hashable {
        var destination: String
        var kind: RecordKind
        var dedupKey: String

        init(_ content: NewOutboxItem) {
            destination = content.destination
            kind = content.kind
            dedupKey = content.dedupKey
        }

        init(destination: String, kind: RecordKind, dedupKey: String) {
            self.destination = destination
            self.kind = kind
            self.dedupKey = dedupKey
        }
    }

    struct Lease: Hashable {
        var owner: String
        var fence: Int64
        var until: Instant
    }

    struct Entry {
        var item: OutboxItem
        var lease: Lease?
        var batchID: Int64?
    }

    struct Batch {
        var content: OutboxBatch
        var lease: Lease?
        var notBefore: Instant?
    }

    struct Settled {
        var item: OutboxItem
        var isDropped: Bool
    }

    var entries: [Int64: Entry] = [:]
    var batches: [Int64: Batch] = [:]
    var ledger: [Key: Settled] = [:]
    var destinations: [String: DestinationState] = [:]
    var formerDeliveries: [String: FormerDelivery] = [:]
    /// The last item of each key, which may be settled or removed.
    private var queued: [Key: Int64] = [:]
    private var fences: [String: Int64] = [:]
    private var lastItem: Int64 = 0
    private var lastBatch: Int64 = 0

    /// The items, oldest first.
    var ordered: [Entry] { entries.values.sorted { $0.item.id < $1.item.id } }

    func knows(_ key: Key) -> Bool {
        if ledger[key] != nil { return true }
        guard let id = queued[key] else { return false }
        return entries[id] != nil
    }

    mutating func enqueue(_ items: [NewOutboxItem], now: Instant) -> Int {
        var added = 0
        for content in items where !knows(Key(content)) {
            lastItem += 1
            let item = OutboxItem(
                id: lastItem, content: content, state: .pending, attempts: 0, lastStatus: nil, lastReason: nil,
                createdAt: now, updatedAt: now)
            entries[lastItem] = Entry(item: item)
            queued[Key(content)] = lastItem
            added += 1
        }
        return added
    }

    mutating func nextFence(of destination: String) -> Int64 {
        fences[destination, default: 0] += 1
        return fences[destination, default: 0]
    }

    mutating func insert(_ batch: OutboxBatch, lease: Lease?) -> Int64 {
        lastBatch += 1
        batches[lastBatch] = Batch(content: batch, lease: lease)
        return lastBatch
    }

    func batchID(of lease: BatchLease) -> Int64? {
        batches.first { _, batch in
            batch.content.key == lease.batch.key && batch.content.destination == lease.batch.destination
                && batch.lease?.owner == lease.owner && batch.lease?.fence == lease.fence
        }?.key
    }

    /// Releases an item and sets its state.
    mutating func release(_ id: Int64, to state: DeliveryState, batchID: Int64? = nil, now: Instant) {
        entries[id]?.lease = nil
        entries[id]?.batchID = batchID
        entries[id]?.item.state = state
        entries[id]?.item.updatedAt = now
    }

    mutating func settle(_ id: Int64, isDropped: Bool, status: Int?, backendID: String? = nil, now: Instant) {
        guard var item = entries.removeValue(forKey: id)?.item else { return }
        item.state = .delivered
        item.content.payload = []
        item.content.recordIDs = []
        item.lastStatus = status
        item.lastReason = nil
        item.backendID = backendID
        item.createdAt = now
        item.updatedAt = now
        ledger[Key(item.content)] = Settled(item: item, isDropped: isDropped)
    }
}
