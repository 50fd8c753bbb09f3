import HealthSyncDomain
import HealthSyncPorts

/// Rows of `snapshot_line`. The identifier `*`, which is no type's name, means every type.
enum SnapshotDateRows {
    private static let every = "*"

    static func dates(of provider: String, over connection: SQLiteConnection) throws -> [Int: SnapshotDates] {
        let rows = try connection.rows(
            "SELECT line, identifier, latest_export_date_ms FROM snapshot_line WHERE provider = ?", provider
        ) { row in (line: try row.int(), identifier: try row.text(), date: try row.instant()) }
        var dates: [Int: SnapshotDates] = [:]
        for row in rows {
            if row.identifier == every {
                dates[row.line, default: SnapshotDates()].all = row.date
            } else {
                dates[row.line, default: SnapshotDates()].chosen[SampleType(rawValue: row.identifier)] = row.date
            }
        }
        return dates
    }

    static func set(
        _ dates: SnapshotDates, of provider: String, line: Int, over connection: SQLiteConnection
    ) throws {
        try connection.execute("DELETE FROM snapshot_line WHERE provider = ? AND line = ?", provider, line)
        var rows = dates.chosen.map { (identifier: $0.key.rawValue, date: $0.value) }
        if let all = dates.all { rows.append((every, all)) }
        for row in rows {
            try connection.execute(
                "INSERT INTO snapshot_line (provider, line, identifier, latest_export_date_ms) VALUES (?, ?, ?, ?)",
                provider, line, row.identifier, row.date)
        }
    }
}
