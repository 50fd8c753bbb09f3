import HealthSyncDomain

/// The number and the times of a user's samples by type.
enum SampleInventory {
    static func query(_ userRow: Int32) -> PostgresCommand {
        PostgresCommand(
            """
            SELECT r.type, r.series_id, r.rows_after, r.alive, p.first_start_ms, p.last_end_ms
            FROM series r CROSS JOIN LATERAL (
                SELECT min(first_start_ms) AS first_start_ms, max(last_end_ms) AS last_end_ms FROM sample_pages
                WHERE user_id = $1 AND series_id = r.series_id AND alive > 0) AS p
            WHERE r.user_id = $1 ORDER BY r.type
            """, .int4(userRow))
    }

    /// Returns the result of `query`, with samples that are still rows, ordered by type.
    static func samples(
        _ rows: PostgresRows, userRow: Int32, over connection: PostgresConnection
    ) throws -> [ReceivedInventory.Samples] {
        var found: [ReceivedInventory.Samples] = []
        for (type, series, rowsAfter, inPages) in try rows.map(read) {
            var totals = inPages
            if let rowsAfter {
                let command = SampleRowCommands(series: series, rowsAfter: rowsAfter).summary(in: nil)
                let inRows = try connection.run([command.command(userRow: userRow)]).last?.first { row in
                    let count = Int(try row.integer())
                    let first = try row.optional { try $0.instant() }
                    _ = try row.optional { try $0.instant() }
                    return Totals(count: count, firstStart: first, lastEnd: try row.optional { try $0.instant() })
                }
                if let inRows { totals = totals.merged(with: inRows) }
            }
            guard totals.count > 0, let first = totals.firstStart, let last = totals.lastEnd else { continue }
            found.append(.init(type: type, count: totals.count, firstStart: first, lastEnd: last))
        }
        return found
    }

    private static func read(
        _ row: inout PostgresRow
    ) throws -> (type: String, series: Int32, rowsAfter: Int64?, totals: Totals) {
        (
            try row.text(), try row.int4(), try row.optional { try $0.integer() },
            Totals(
                count: Int(try row.integer()), firstStart: try row.optional { try $0.instant() },
                lastEnd: try row.optional { try $0.instant() })
        )
    }

    private struct Totals {
        var count: Int
        var firstStart: Instant?
        var lastEnd: Instant?

        func merged(with other: Totals) -> Totals {
            Totals(
                count: count + other.count, firstStart: [firstStart, other.firstStart].compactMap(\.self).min(),
                lastEnd: [lastEnd, other.lastEnd].compactMap(\.self).max())
        }
    }
}
