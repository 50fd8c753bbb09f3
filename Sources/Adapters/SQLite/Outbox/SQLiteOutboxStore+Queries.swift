import HealthSyncDomain
import HealthSyncPorts

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
