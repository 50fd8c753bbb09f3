import HealthSyncDomain

/// Rows of `destination`.
enum DestinationRows {
    /// Returns every address that occurs in a table, ascending. The ledger has a row for each record, so the query
    /// steps through its index from one address to the next.
    static func known(over connection: SQLiteConnection) throws -> [String] {
        let steps = ["outbox_item", "delivered", "interval_delivery"].map { table in
            """
            SELECT address FROM (
                WITH RECURSIVE next (address) AS (
                    SELECT min(destination) FROM \(table)
                    UNION ALL
                    SELECT (SELECT min(destination) FROM \(table) WHERE destination > next.address) FROM next
                    WHERE next.address IS NOT NULL)
                SELECT address FROM next WHERE address IS NOT NULL)
            """
        }
        let query = (["SELECT address FROM destination"] + steps).joined(separator: "\nUNION\n")
        return try connection.rows("SELECT address FROM (\(query)) ORDER BY address") { try $0.text() }
    }

    /// Deletes all rows of `destination` and returns the number of items that were not delivered.
    static func remove(_ destination: String, over connection: SQLiteConnection) throws -> Int {
        try connection.execute("DELETE FROM outbox_item WHERE destination = ?", destination)
        let items = connection.changedRows
        for table in ["outbox_batch", "delivered", "former_delivery", "interval_delivery", "verification"] {
            try connection.execute("DELETE FROM \(table) WHERE destination = ?", destination)
        }
        try connection.execute("DELETE FROM destination WHERE address = ?", destination)
        try connection.execute("DELETE FROM complete_part WHERE part = ?", "server/\(destination)")
        return items
    }

    /// Returns a fence higher than any issued for `destination` before.
    static func nextFence(of destination: String, over connection: SQLiteConnection) throws -> Int64 {
        let fence = try connection.first(
            """
            INSERT INTO destination (address, last_fence) VALUES (?, 1)
            ON CONFLICT (address) DO UPDATE SET last_fence = last_fence + 1 RETURNING last_fence
            """, destination
        ) { try $0.integer() }
        guard let fence else {
            throw SQLiteFailure.damaged(connection.path, "the database returned no fence for \(destination)")
        }
        return fence
    }

    static func state(of destination: String, over connection: SQLiteConnection) throws -> DestinationState {
        let found = try connection.first(
            """
            SELECT not_before_ms, paused_reason, is_disabled, consecutive_failures, batch_limits FROM destination
            WHERE address = ?
            """, destination
        ) { row in
            var state = DestinationState()
            state.notBefore = try row.optional { try $0.instant() }
            state.pausedReason = try row.optional { try $0.text() }
            state.isDisabled = try row.bool()
            state.consecutiveFailures = try row.int()
            guard let limits = try? limits(from: try row.utf8()) else {
                throw SQLiteFailure.damaged(
                    connection.path, "the database contains unreadable limits of \(destination)")
            }
            state.batchLimits = limits
            return state
        }
        return found ?? DestinationState()
    }

    static func store(
        _ state: DestinationState, of destination: String, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO destination
                (address, not_before_ms, paused_reason, is_disabled, consecutive_failures, batch_limits)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (address) DO UPDATE SET not_before_ms = excluded.not_before_ms,
                paused_reason = excluded.paused_reason, is_disabled = excluded.is_disabled,
                consecutive_failures = excluded.consecutive_failures, batch_limits = excluded.batch_limits
            """, destination, state.notBefore, state.pausedReason, state.isDisabled, state.consecutiveFailures,
            SQLiteValue.utf8(text(of: state.batchLimits)))
    }

    /// Returns `{"progress":500,"steps":1000}`.
    private static func text(of limits: [RecordKind: Int]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + limits.count * 24)
        json.raw("{")
        for (index, limit) in limits.sorted(by: { $0.key.rawValue < $1.key.rawValue }).enumerated() {
            if index > 0 { json.raw(",") }
            json.string(limit.key.rawValue)
            json.raw(":")
            json.number(Int64(limit.value))
        }
        json.raw("}")
        return json.bytes
    }

    private static func limits(from text: [UInt8]) throws(UnexpectedJSON) -> [RecordKind: Int] {
        var reader = JSONByteReader(text)
        var limits: [RecordKind: Int] = [:]
        try reader.expect("{")
        if reader.skip("}") { return limits }
        repeat {
            let kind = RecordKind(rawValue: try reader.string())
            try reader.expect(":")
            limits[kind] = Int(try reader.integer())
        } while reader.skip(",")
        try reader.expect("}")
        return limits
    }
}
