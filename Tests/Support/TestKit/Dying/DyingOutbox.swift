import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An outbox store whose process dies at one of its changes; every later call fails.
final class DyingStore: OutboxStore {
    private let store: any OutboxStore
    private let fatal: Int
    private let afterCommit: Bool
    private let count = Mutex(0)

    /// Dies at change number `fatal`, counted from 0. If `afterCommit`, that change is still stored.
    init(_ store: any OutboxStore, fatal: Int, afterCommit: Bool) {
        self.store = store
        self.fatal = fatal
        self.afterCommit = afterCommit
    }

    var changes: Int { count.withLock { $0 } }

    private func change<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        if number < fatal { return try await body() }
        if number == fatal, afterCommit { _ = try await body() }
        throw SyncFailure(.storage, subject: "outbox", reason: "the process died", advice: "")
    }

    func counts(destination: String?) async throws -> [DeliveryState: Int] {
        try await store.counts(destination: destination)
    }

    func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem] {
        try await store.items(in: state, destination: destination, limit: limit)
    }

    func item(id: Int64) async throws -> OutboxItem? { try await store.item(id: id) }

    func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await change {
            try await store.claimBatch(destination: destination, owner: owner, now: now, leaseUntil: leaseUntil)
        }
    }

    func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64) {
        try await change {
            try await store.claimItems(
                destination: destination, kinds: kinds, limit: limit, byteLimit: byteLimit, owner: owner, now: now,
                leaseUntil: leaseUntil)
        }
    }

    func freeze(
        _ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await change { try await store.freeze(batch, owner: owner, fence: fence, leaseUntil: leaseUntil) }
    }

    func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool {
        try await change { try await store.split(lease, into: parts) }
    }

    func settle(_ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant) async throws -> Bool {
        try await change { try await store.settle(lease, verdicts: verdicts, status: status, now: now) }
    }

    func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool {
        try await change {
            try await store.giveBack(lease, reason: reason, status: status, notBefore: notBefore, now: now)
        }
    }

    func waiting(destination: String) async throws -> [RecordKind: WaitingItems] {
        try await store.waiting(destination: destination)
    }

    func destinations() async throws -> [String] { try await store.destinations() }

    func destinationState(_ destination: String) async throws -> DestinationState {
        try await store.destinationState(destination)
    }

    func expireLeases(destination: String, now: Instant) async throws {
        try await store.expireLeases(destination: destination, now: now)
    }

    func nextAttempt(destination: String) async throws -> Instant? {
        try await store.nextAttempt(destination: destination)
    }

    func setDestinationState(_ state: DestinationState, of destination: String) async throws {
        try await change { try await store.setDestinationState(state, of: destination) }
    }

    func retry(ids: [Int64]?) async throws -> Int { try await store.retry(ids: ids) }
    func drop(ids: [Int64]?) async throws -> Int { try await store.drop(ids: ids) }
    func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords {
        try await store.missingRecords(destination: destination, days: days)
    }
    func enqueue(_ items: [NewOutboxItem]) async throws -> Int { try await change { try await store.enqueue(items) } }
    func forgetDelivered(destination: String, days: DayRange) async throws {
        try await store.forgetDelivered(destination: destination, days: days)
    }
    func missingDeletions(destination: String?) async throws -> [Tombstone] {
        try await store.missingDeletions(destination: destination)
    }
}
