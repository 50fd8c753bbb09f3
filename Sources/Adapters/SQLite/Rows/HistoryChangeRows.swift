import HealthSyncDomain

/// The row of `history_change`, and the former figures in `former_figure` until it is concluded.
enum HistoryChangeRows {
    /// Returns the last concluded change; `nil` if none was found.
    static func read(over connection: SQLiteConnection) throws -> HistoryChange? {
        try connection.first(
            """
            SELECT version, at_ms, nights, figures, metric, day, unit, former, quantity FROM history_change
            WHERE at_ms IS NOT NULL ORDER BY at_ms DESC LIMIT 1
            """
        ) { row in
            let (version, at) = (try row.text(), try row.instant())
            let (nights, figures) = (try row.int(), try row.int())
            return HistoryChange(
                version: version, at: at, nights: nights, figures: figures,
                last: HistoryChange.Figure(
                    metric: HealthMetric(rawValue: try row.text()), day: try row.day(), unit: try row.text(),
                    former: try row.real(), quantity: try row.optional { try $0.real() }))
        }
    }

    /// Returns whether former figures wait for a run that derives all days.
    static func isPending(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("SELECT 1 FROM history_change WHERE at_ms IS NULL") { _ in true } ?? false
    }

    /// Compares the former figures with the current ones, stores what changed, and forgets them. Returns the change;
    /// `nil` if nothing was to be compared or nothing changed.
    ///
    /// The last day of the former figures is left out: it was not over, or more was read of it since.
    static func conclude(at now: Instant, over connection: SQLiteConnection) throws -> HistoryChange? {
        let version = try connection.first("SELECT version FROM history_change WHERE at_ms IS NULL") { try $0.text() }
        guard let version else { return nil }
        let counts = try connection.first(
            "WITH \(changed) SELECT count(*) FILTER (WHERE metric = 'sleep'), count(*) FILTER (WHERE metric <> 'sleep') FROM changed",
            HistoryChange.leastMinutes, HistoryChange.leastShare
        ) { (nights: try $0.int(), figures: try $0.int()) }
        let last = try connection.first(
            """
            WITH \(changed) SELECT metric, day, unit, former, quantity FROM changed
            ORDER BY day DESC, metric = 'sleep' DESC, metric LIMIT 1
            """, HistoryChange.leastMinutes, HistoryChange.leastShare
        ) { row in
            HistoryChange.Figure(
                metric: HealthMetric(rawValue: try row.text()), day: try row.day(), unit: try row.text(),
                former: try row.real(), quantity: try row.optional { try $0.real() })
        }
        try connection.execute("DELETE FROM former_figure")
        guard let counts, let last else {
            try connection.execute("DELETE FROM history_change WHERE version = ?", version)
            return nil
        }
        let change = HistoryChange(
            version: version, at: now, nights: counts.nights, figures: counts.figures, last: last)
        try connection.execute(
            """
            UPDATE history_change SET at_ms = ?2, nights = ?3, figures = ?4, metric = ?5, day = ?6, unit = ?7,
                former = ?8, quantity = ?9
            WHERE version = ?1
            """, version, now, change.nights, change.figures, last.metric.rawValue, last.day, last.unit, last.former,
            last.quantity)
        return change
    }

    private static let changed = """
        compared AS (
            SELECT former.metric, former.day, former.unit, former.quantity AS former,
                CASE former.metric WHEN 'sleep' THEN
                    (SELECT sum(asleep_ms) / 60000.0 FROM sleep_episode
                        WHERE sleep_episode.day = former.day AND role = 'main' AND asleep_ms > 0)
                ELSE (SELECT quantity FROM daily_progress
                    WHERE daily_progress.metric = former.metric AND daily_progress.day = former.day) END AS quantity
            FROM former_figure AS former WHERE former.day < (SELECT max(day) FROM former_figure)),
        changed AS (
            SELECT * FROM compared WHERE quantity IS NULL OR abs(former - quantity)
                >= iif(metric = 'sleep', ?1, ?2 * max(abs(former), abs(quantity)))
                AND former <> quantity)
        """
}
