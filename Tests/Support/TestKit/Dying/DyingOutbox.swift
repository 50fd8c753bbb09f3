package import HealthSyncDomain
package import HealthSyncPorts

/// An outbox store whose process dies at one of its changes; every later change fails.
package final class DyingOutbox: OutboxStore {
    private let store: any OutboxStore
    private let fuse: Fuse

    /// Dies with the other stores of `fuse`.
    package init(_ store: any OutboxStore, fuse: Fuse) {
        self.store = store
        self.fuse = fuse
    }

    /// Dies at change number `fatal`, counted from 0. If `afterCommit`, that change is still stored.
    package convenience init(_ store: any OutboxStore, fatal: Int, afterCommit: Bool) {
        self.init(store, fuse: Fuse(fatal: fatal, afterCommit: afterCommit))
    }

    package var changes: Int { fuse.changes }

    private func change<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await fuse.change(of: "outbox", body)
    }

    package func counts(destination: String?) async throws -> [DeliveryState: Int] {
        try await store.counts(destination: destination)
    }

    package func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem] {
        try await store.items(in: state, destination: destination, limit: limit)
    }

    package func item(id: Int64) async throws -> OutboxItem? { try await store.item(id: id) }

    package func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await change {
            try await store.claimBatch(destination: destination, owner: owner, now: now, leaseUntil: leaseUntil)
        }
    }

    package func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64) {
        try await change {
            try await store.claimItems(
                destination: destination, kinds: kinds, limit: limit, byteLimit: byteLimit, owner: owner, now: now,
                leaseUntil: leaseUntil)
        }
    }

    package func freeze(
        _ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await change { try await store.freeze(batch, owner: owner, fence: fence, leaseUntil: leaseUntil) }
    }

    package func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool {
        try await change { try await store.split(lease, into: parts) }
    }

    package func settle(_ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant) async throws -> Bool {
        try await change { try await store.settle(lease, verdicts: verdicts, status: status, now: now) }
    }

    package func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool {
        try await change {
            try await store.giveBack(lease, reason: reason, status: status, notBefore: notBefore, now: now)
        }
    }

    package func waiting(destination: String) async throws -> [RecordKind: WaitingItems] {
        try await store.waiting(destination: destination)
    }

    package func destinations() async throws -> [String] { try await store.destinations() }

    package func destinationState(_ destination: String) async throws -> DestinationState {
        try await store.destinationState(destination)
    }

    package func expireLeases(destination: String, now: Instant) async throws {
        try await store.expireLeases(destination: destination, now: now)
    }

    package func nextAttempt(destination: String) async throws -> Instant? {
        try await store.nextAttempt(destination: destination)
    }

    package func setDestinationState(_ state: DestinationState, of destination: String) async throws {
        try await change { try await store.setDestinationState(state, of: destination) }
    }

    package func retry(ids: [Int64]?) async throws -> Int { try await store.retry(ids: ids) }
    package func drop(ids: [Int64]?) async throws -> Int { try await store.drop(ids: ids) }
    package func forget(destination: String) async throws -> Int {
        try await store.forget(destination: destination)
    }
    package func formerDelivery(of destination: String) async throws -> FormerDelivery? {
        try await store.formerDelivery(of: destination)
    }
    package func offer(_ metrics: Set<HealthMetric>, to destination: String) async throws {
        try await change { try await store.offer(metrics, to: destination) }
    }
    package func endFormerDelivery(of destination: String) async throws {
        try await change { try await store.endFormerDelivery(of: destination) }
    }
    package func omittedRecords(destination: String) async throws -> OmittedRecords? {
        try await store.omittedRecords(destination: destination)
    }
    package func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords {
        try await store.missingRecords(destination: destination, days: days)
    }
    package func enqueue(_ items: [NewOutboxItem]) async throws -> Int {
        try await change { try await store.enqueue(items) }
    }
    package func forgetDelivered(destination: String, days: DayRange) async throws {
        try await store.forgetDelivered(destination: destination, days: days)
    }
    package func missingDeletions(destination: String?) async throws -> [Tombstone] {
        try await store.missingDeletions(destination: destination)
    }
}
