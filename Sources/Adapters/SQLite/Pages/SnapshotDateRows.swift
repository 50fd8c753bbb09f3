import HealthSyncDomain
import HealthSyncPorts

/// The rows of `snapshot_type`. The identifier `*` stands for every type there is, which no type is called.
enum SnapshotDateRows {
    private static let every = "*"

    static func dates(of provider: String, over connection: SQLiteConnection) throws -> SnapshotDates {
        let rows = try connection.rows(
            "SELECT identifier, latest_export_date_ms FROM snapshot_type WHERE provider = ?", provider
        ) { row in (identifier: try row.text(), date: try row.instant()) }
        var dates = SnapshotDates()
        for row in rows {
            if row.identifier == every {
                dates.all = row.date
            } else {
                dates.chosen[SampleType(rawValue: row.identifier)] = row.date
            }
        }
        return dates
    }

    static func note(_ dates: SnapshotDates, of provider: String, over connection: SQLiteConnection) throws {
        var rows = dates.chosen.map { (identifier: $0.key.rawValue, date: $0.value) }
        if let all = dates.all { rows.append((every, all)) }
        for row in rows {
            try connection.execute(
                """
                INSERT INTO snapshot_type (provider, identifier, latest_export_date_ms) VALUES (?, ?, ?)
                ON CONFLICT (provider, identifier) DO UPDATE
                    SET latest_export_date_ms = max(latest_export_date_ms, excluded.latest_export_date_ms)
                """, provider, row.identifier, row.date)
        }
    }
}
