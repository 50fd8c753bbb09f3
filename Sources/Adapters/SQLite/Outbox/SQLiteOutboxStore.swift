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

    func forget(destination: String) async throws -> Int {
        try await writer.write { try DestinationRows.remove(destination, over: $0.connection) }
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

extension SQLiteOutboxStore {
    func expireLeases(destination: String, now: Instant) async throws {
        try await writer.write { transaction in
            try transaction.connection.execute(
                "UPDATE outbox_batch SET lease_until_ms = ?1 WHERE destination = ?2 AND lease_until_ms > ?1",
                now, destination)
            try transaction.connection.execute(
                "UPDATE outbox_item SET lease_until_ms = ?1 WHERE destination = ?2 AND lease_until_ms > ?1",
                now, destination)
        }
    }
}

extension SQLiteOutboxStore {
    func counts(destination: String?) async throws -> [DeliveryState: Int] {
        try await reader.read { connection in
            let rows = try connection.rows(
                """
                SELECT state, count(*) FROM outbox_item WHERE ?1 IS NULL OR destination = ?1 GROUP BY state
                UNION ALL
                SELECT 'delivered', count(*) FROM delivered
                WHERE is_dropped = 0 AND (?1 IS NULL OR destination = ?1)
                """, destination
            ) { row in (state: DeliveryState(rawValue: try row.text()), count: try row.int()) }
            var counts: [DeliveryState: Int] = [:]
            for row in rows where row.count > 0 {
                guard let state = row.state else { continue }
                counts[state] = row.count
            }
            return counts
        }
    }

    func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem] {
        try await reader.read { connection in
            let source =
                state == .delivered
                ? "SELECT \(OutboxRows.ledgerColumns) FROM delivered WHERE is_dropped = 0 AND ?1 = 'delivered'"
                : "SELECT \(OutboxRows.columns) FROM outbox_item WHERE (?1 IS NULL OR state = ?1)"
            return try connection.rows(
                "\(source) AND (?2 IS NULL OR destination = ?2) ORDER BY id LIMIT ?3", state?.rawValue, destination,
                max(0, limit)
            ) { try OutboxRows.item($0, path: connection.path) }
        }
    }

    func item(id: Int64) async throws -> OutboxItem? {
        try await reader.read { connection in
            try connection.first(
                """
                SELECT \(OutboxRows.columns) FROM outbox_item WHERE id = ?1
                UNION ALL SELECT \(OutboxRows.ledgerColumns) FROM delivered WHERE id = ?1 AND is_dropped = 0
                """, id
            ) { try OutboxRows.item($0, path: connection.path) }
        }
    }

    func waiting(destination: String) async throws -> [RecordKind: WaitingItems] {
        try await reader.read { connection in
            let rows = try connection.rows(
                """
                SELECT kind, count(*), sum(samples) FROM outbox_item
                WHERE destination = ? AND state <> 'dead' GROUP BY kind
                """, destination
            ) { (RecordKind(rawValue: try $0.text()), WaitingItems(items: try $0.int(), samples: try $0.int())) }
            return Dictionary(rows, uniquingKeysWith: { first, _ in first })
        }
    }

    func nextAttempt(destination: String) async throws -> Instant? {
        try await reader.read { connection in
            try connection.first(
                """
                SELECT due FROM (
                    SELECT max(coalesce(lease_until_ms, 0), coalesce(not_before_ms, 0)) AS due FROM outbox_batch
                    WHERE destination = ?1
                    UNION ALL
                    SELECT lease_until_ms FROM outbox_item
                    WHERE destination = ?1 AND state = 'leased' AND batch_id IS NULL)
                ORDER BY due LIMIT 1
                """, destination
            ) { try $0.instant() }
        }
    }

    func destinations() async throws -> [String] {
        try await reader.read { try DestinationRows.known(over: $0) }
    }

    func destinationState(_ destination: String) async throws -> DestinationState {
        try await reader.read { try DestinationRows.state(of: destination, over: $0) }
    }

    func formerDelivery(of destination: String) async throws -> FormerDelivery? {
        try await reader.read { try FormerDeliveryRows.read(of: destination, over: $0) }
    }

    func omittedRecords(destination: String) async throws -> OmittedRecords? {
        try await reader.read { try FormerDeliveryRows.omitted(destination: destination, over: $0) }
    }

    func missingDeletions(destination: String?) async throws -> [Tombstone] {
        try await reader.read { try RemovedRows.missing(destination: destination, over: $0) }
    }

    func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords {
        try await reader.read { try OfferedRecords.missing(destination: destination, days: days, over: $0) }
    }
}
