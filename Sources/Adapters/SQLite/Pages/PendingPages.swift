import HealthSyncDomain
import HealthSyncPorts

/// Pages of a transaction that wait to be written, so that several are written by one statement.
final class PendingPages {
    private var rows: [[any SQLiteBindable]] = []

    /// Adds a page, and writes all of them once a statement is full.
    func add(_ page: PackedPage, type: Int64, origin: Int64, over connection: SQLiteConnection) throws {
        rows.append([
            type, page.key.day, origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes),
        ])
        if rows.count == SQLiteConnection.rowsOfStatement { try write(over: connection) }
    }

    /// Writes the pages.
    func write(over connection: SQLiteConnection) throws {
        guard !rows.isEmpty else { return }
        defer { rows.removeAll(keepingCapacity: true) }
        try connection.insert(
            """
            INSERT INTO sample_page
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns)
            """, rows: rows,
            """
            ON CONFLICT (type_id, day, origin_id) DO UPDATE SET count = excluded.count, sum = excluded.sum,
                first_start_ms = excluded.first_start_ms, last_end_ms = excluded.last_end_ms,
                digest = excluded.digest, columns = excluded.columns
            """)
    }
}
