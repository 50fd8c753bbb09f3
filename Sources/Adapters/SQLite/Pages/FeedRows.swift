import HealthSyncDomain
import HealthSyncPorts

/// Rows of `feed_window` and `unsent_sample`: what feeds cover, and how many samples they lack.
enum FeedRows {
    static func windows(over connection: SQLiteConnection) throws -> [FeedWindow] {
        try connection.rows(
            """
            SELECT provider, type, is_sum, source_name, first_ms, last_ms FROM feed_window
            ORDER BY provider, type, is_sum DESC, source_name
            """
        ) { row in
            let provider = try row.text()
            let type = SampleType(rawValue: try row.text())
            let isSum = try row.bool()
            let name = try row.text()
            return FeedWindow(
                provider: provider, type: type, sourceName: isSum ? nil : name, first: try row.instant(),
                last: try row.instant())
        }
    }

    static func put(_ window: FeedWindow, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO feed_window (provider, type, is_sum, source_name, first_ms, last_ms)
            VALUES (?, ?, ?, ?, ?, ?)
            """, window.provider, window.type.rawValue, window.sourceName == nil, window.sourceName ?? "", window.first,
            window.last)
    }

    static func setUnsent(
        _ counts: [CalendarDay: Int], of type: SampleType, utcDay: CalendarDay, over connection: SQLiteConnection
    ) throws {
        try connection.execute("DELETE FROM unsent_sample WHERE type = ? AND utc_day = ?", type.rawValue, utcDay)
        for (day, count) in counts.sorted(by: { $0.key < $1.key }) {
            try connection.execute(
                "INSERT INTO unsent_sample (type, utc_day, day, count) VALUES (?, ?, ?, ?)", type.rawValue, utcDay, day,
                count)
        }
    }

    static func unsent(over connection: SQLiteConnection) throws -> UnsentSamples {
        let rows = try connection.rows("SELECT day, sum(count) FROM unsent_sample GROUP BY day") { row in
            (day: try row.day(), count: try row.int())
        }
        return UnsentSamples(days: Dictionary(rows.map { ($0.day, $0.count) }, uniquingKeysWith: +))
    }
}
