import HealthSyncDomain
import HealthSyncPorts

/// The outbox, in `outbox_item`, `outbox_batch`, `delivered` and `destination`.
struct SQLiteOutboxStore: OutboxStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader
    let time: any TimeSource

    func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await writer.write { transaction in
            try BatchRows.claim(
                destination: destination, owner: owner, now: now, leaseUntil: leaseUntil, over: transaction.connection)
        }
    }

    func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64) {
        try await writer.write { transaction in
            try ItemClaim(
                destination: destination, kinds: kinds, limit: limit, byteLimit: byteLimit, owner: owner, now: now,
                leaseUntil: leaseUntil
            ).run(over: transaction.connection)
        }
    }

    func freeze(
        _ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant
    ) async throws -> BatchLease? {
        try await writer.write { transaction in
            try BatchRows.freeze(
                batch, lease: .init(owner: owner, fence: fence, until: leaseUntil), over: transaction.connection)
        }
    }

    func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool {
        let now = time.now()
        return try await writer.write { transaction in
            try BatchRows.split(lease, into: parts, now: now, over: transaction.connection)
        }
    }

    func settle(
        _ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant
    ) async throws -> Bool {
        try await writer.write { transaction in
            try BatchSettlement.settle(
                lease, verdicts: verdicts, status: status, now: now, over: transaction.connection)
        }
    }

    func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool {
        try await writer.write { transaction in
            try BatchSettlement.giveBack(
                lease, reason: reason, status: status, notBefore: notBefore, now: now, over: transaction.connection)
        }
    }

    func setDestinationState(_ state: DestinationState, of destination: String) async throws {
        try await writer.write { transaction in
            try DestinationRows.store(state, of: destination, over: transaction.connection)
        }
    }

    func offer(_ metrics: Set<HealthMetric>, to destination: String) async throws {
        try await writer.write { try FormerDeliveryRows.offer(metrics, to: destination, over: $0.connection) }
    }

    func endFormerDelivery(of destination: String) async throws {
        try await writer.write { try FormerDeliveryRows.remove(destination, over: $0.connection) }
    }

    func retry(ids: [Int64]?) async throws -> Int {
        let now = time.now()
        return try await writer.write { try DeadLetters.retry(ids, now: now, over: $0.connection) }
    }

    func drop(ids: [Int64]?) async throws -> Int {
        let now = time.now()
        return try await writer.write { try DeadLetters.drop(ids, now: now, over: $0.connection) }
    }

    func enqueue(_ items: [NewOutboxItem]) async throws -> Int {
        let now = time.now()
        return try await writer.write { try OutboxRows.enqueue(items, now: now, over: $0.connection) }
    }

    func forgetDelivered(destination: String, days: DayRange) async throws {
        try await writer.write { transaction in
            try OfferedRecords.forgetDelivered(destination: destination, days: days, over: transaction.connection)
        }
    }
}
