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

/// Rows of `former_delivery`: the servers that are not offered everything of the days before an upgrade.
private enum FormerDeliveryRows {
    static func read(of destination: String, over connection: SQLiteConnection) throws -> FormerDelivery? {
        let lastDay = try connection.first(
            "SELECT last_day FROM former_delivery WHERE destination = ?", destination
        ) { try $0.day() }
        guard let lastDay else { return nil }
        let metrics = try connection.rows(
            "SELECT value FROM former_delivery, json_each(metrics) WHERE destination = ?", destination
        ) { HealthMetric(rawValue: try $0.text()) }
        return FormerDelivery(lastDay: lastDay, metrics: Set(metrics))
    }

    /// Adds `metrics` to those that are offered on all days.
    static func offer(_ metrics: Set<HealthMetric>, to destination: String, over connection: SQLiteConnection) throws {
        for metric in metrics.sorted() {
            try connection.execute(
                """
                UPDATE former_delivery SET metrics = json_insert(metrics, '$[#]', ?2) WHERE destination = ?1
                    AND NOT EXISTS (SELECT 1 FROM json_each(metrics) WHERE value = ?2)
                """, destination, metric.rawValue)
        }
    }

    static func remove(_ destination: String, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM former_delivery WHERE destination = ?", destination)
    }

    /// Returns the stored figures that `destination` is not offered.
    static func omitted(destination: String, over connection: SQLiteConnection) throws -> OmittedRecords? {
        guard let former = try read(of: destination, over: connection) else { return nil }
        let counts = try connection.first(
            "SELECT count(*), count(DISTINCT metric) FROM daily_progress WHERE NOT \(isOffered)", destination
        ) { row in (records: try row.int(), metrics: try row.int()) }
        guard let counts, counts.records > 0 else { return nil }
        return OmittedRecords(count: counts.records, metrics: counts.metrics, lastDay: former.lastDay)
    }

    /// The condition that a row of `daily_progress` is offered to the destination `?1`, or that this is `NULL`.
    static let isOffered =
        """
        (day > coalesce((SELECT last_day FROM former_delivery WHERE destination = ?1), '')
            OR metric IN (SELECT value FROM former_delivery, json_each(metrics) WHERE destination = ?1))
        """
}

/// The user's actions on items that were finally rejected.
private enum DeadLetters {
    /// Selects the dead letters among `ids`, or all of them for NULL.
    private static let isChosen = "state = 'dead' AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))"

    /// Makes the dead letters wait again and returns their number.
    static func retry(_ ids: [Int64]?, now: Instant, over connection: SQLiteConnection) throws -> Int {
        try connection.execute(
            "UPDATE outbox_item SET state = 'pending', updated_at_ms = ?2 WHERE \(isChosen)", list(ids), now)
        return connection.changedRows
    }

    /// Deletes the dead letters and returns their number. Their keys go to the ledger, so that they are not enqueued
    /// again. Samples need no ledger entry: their interval is known, and is then neither synced nor offered again.
    static func drop(_ ids: [Int64]?, now: Instant, over connection: SQLiteConnection) throws -> Int {
        try connection.execute(
            """
            INSERT INTO delivered (id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts,
                last_status, is_dropped, settled_at_ms)
            SELECT id, destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts, last_status, 1, ?2
            FROM outbox_item WHERE interval_start_ms IS NULL AND \(isChosen)
            """, list(ids), now)
        try connection.execute("DELETE FROM outbox_item WHERE \(isChosen)", list(ids))
        return connection.changedRows
    }

    private static func list(_ ids: [Int64]?) -> SQLiteValue {
        guard let ids else { return .null }
        var json = JSONBytes(reserving: 2 + ids.count * 8)
        json.array(ids) { json, id in json.number(id) }
        return .utf8(json.bytes)
    }
}

/// The stored records that were offered to a destination. The dedup key of a record is `sourceID@revision`.
private enum OfferedRecords {
    /// Returns the stored records of `days` that are offered to `destination` and neither in its outbox nor in its ledger;
    /// all of them for `nil`, which matches no row in SQL.
    static func missing(
        destination: String?, days: DayRange, over connection: SQLiteConnection
    ) throws -> MissingRecords {
        var missing = MissingRecords()
        missing.progress = try connection.rows(
            """
            SELECT \(ProgressRows.columns) FROM daily_progress
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.progress, in: "daily_progress"))
                AND \(FormerDeliveryRows.isOffered)
            ORDER BY day, metric
            """, destination, days.first, days.last
        ) { try ProgressRows.record($0, path: connection.path) }
        missing.sleep = try connection.rows(
            """
            SELECT \(SleepRows.columns) FROM sleep_session
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.sleep, in: "sleep_session")) ORDER BY day, start_ms, source_id
            """, destination, days.first, days.last
        ) { try SleepRows.record($0, path: connection.path) }
        missing.snapshots = try connection.rows(
            """
            SELECT \(SnapshotRows.columns) FROM activity_snapshot
            WHERE day BETWEEN ?2 AND ?3 AND \(isUnknown(.snapshots, in: "activity_snapshot")) ORDER BY day
            """, destination, days.first, days.last
        ) { try SnapshotRows.record($0) }
        return missing
    }

    /// Removes the stored records of `days` from the ledger.
    static func forgetDelivered(destination: String, days: DayRange, over connection: SQLiteConnection) throws {
        for (kind, table) in [
            (RecordKind.progress, "daily_progress"), (.sleep, "sleep_session"), (.snapshots, "activity_snapshot"),
        ] {
            try connection.execute(
                """
                DELETE FROM delivered WHERE destination = ?1 AND kind = '\(kind.rawValue)'
                    AND dedup_key IN (SELECT source_id || '@' || revision FROM \(table) WHERE day BETWEEN ?2 AND ?3)
                """, destination, days.first, days.last)
        }
    }

    private static func isUnknown(_ kind: RecordKind, in table: String) -> String {
        ["outbox_item", "delivered"].map { known in
            """
            NOT EXISTS (SELECT 1 FROM \(known) AS known WHERE known.destination = ?1
                AND known.kind = '\(kind.rawValue)'
                AND known.dedup_key = \(table).source_id || '@' || \(table).revision)
            """
        }.joined(separator: " AND ")
    }
}
