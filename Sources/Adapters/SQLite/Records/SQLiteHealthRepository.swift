import HealthSyncDomain
import HealthSyncPorts

/// The records that pages and commands show.
struct SQLiteHealthRepository: HealthRepository {
    let reader: SQLiteReader

    func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await progress(ProgressRows.columns, of: metric, days: days)
    }

    func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await progress(ProgressRows.columnsWithoutHours, of: metric, days: days)
    }

    private func progress(
        _ columns: String, of metric: HealthMetric?, days: DayRange
    ) async throws -> [DailyProgress] {
        try await reader.read { connection in
            // Two query texts, so that each can use its index.
            let ofMetric = metric == nil ? "?1 IS NULL" : "metric = ?1"
            return try connection.rows(
                """
                SELECT \(columns) FROM daily_progress WHERE \(ofMetric) AND day BETWEEN ?2 AND ?3
                ORDER BY day, metric
                """, metric?.rawValue, days.first, days.last
            ) { try ProgressRows.record($0, path: connection.path).record }
        }
    }

    func dailyQuantities(of metric: HealthMetric, days: DayRange) async throws -> [DailyQuantity] {
        guard metric != .sleep else {
            return try await nights(days: days).compactMap { night in
                night.asleep.map { DailyQuantity(day: night.day, quantity: Double($0) / 60_000) }
            }
        }
        return try await reader.read { connection in
            try connection.rows(
                "SELECT day, quantity FROM daily_progress WHERE metric = ? AND day BETWEEN ? AND ? ORDER BY day",
                metric.rawValue, days.first, days.last
            ) { DailyQuantity(day: try $0.day(), quantity: try $0.real()) }
        }
    }

    func nights(days: DayRange) async throws -> [NightTimes] {
        let parts = try await reader.read { connection in
            try connection.rows(
                """
                SELECT day, onset_ms, start_ms, end_ms, offset_s, counted_asleep_ms, counted_awake_ms
                FROM sleep_session WHERE role = 'main' AND counts AND day BETWEEN ? AND ? ORDER BY day, onset_ms, start_ms
                """, days.first, days.last, read: Self.partOfNight)
        }
        var nights: [NightTimes] = []
        var last: Instant?
        for (onset, times) in parts {
            if onset == last, nights.last?.day == times.day {
                // Of several sessions of a night each has sleep.
                let index = nights.count - 1
                nights[index].interval.end = max(nights[index].interval.end, times.interval.end)
                nights[index].asleep = (nights[index].asleep ?? 0) + (times.asleep ?? 0)
            } else {
                nights.append(times)
                last = onset
            }
        }
        return nights
    }

    private static func partOfNight(_ row: SQLiteStatement) throws -> (onset: Instant, times: NightTimes) {
        let (day, onset) = (try row.day(), try row.instant())
        let interval = InstantRange(start: try row.instant(), end: try row.instant())
        let offset = try row.utcOffset()
        let (asleep, awake) = (try row.duration(), try row.duration())
        let isKnown = asleep > 0 || awake > 0
        return (onset, NightTimes(day: day, interval: interval, offsetSeconds: offset, asleep: isKnown ? asleep : nil))
    }

    func sleep(days: DayRange) async throws -> [SleepSession] {
        try await reader.read { connection in
            try connection.rows(
                """
                SELECT \(SleepRows.columns) FROM sleep_session WHERE day BETWEEN ? AND ?
                ORDER BY day, start_ms, source_id
                """, days.first, days.last
            ) { try SleepRows.record($0, path: connection.path).record }
        }
    }

    func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] {
        try await reader.read { connection in
            try connection.rows(
                "SELECT \(SnapshotRows.columns) FROM activity_snapshot WHERE day BETWEEN ? AND ? ORDER BY day",
                days.first, days.last
            ) { try SnapshotRows.record($0).record }
        }
    }

    func recordedDays() async throws -> DayRange? {
        try await reader.read { connection in
            // SQLite reads only an end of an index for a query of one minimum or maximum, and the whole for two.
            let found = try connection.first(
                """
                WITH RECURSIVE \(Self.metrics), ends(day) AS (
                    SELECT (SELECT min(day) FROM daily_progress WHERE metric = metrics.metric) FROM metrics
                    UNION ALL SELECT (SELECT max(day) FROM daily_progress WHERE metric = metrics.metric) FROM metrics
                    UNION ALL SELECT (SELECT min(day) FROM sleep_session)
                    UNION ALL SELECT (SELECT max(day) FROM sleep_session)
                    UNION ALL SELECT (SELECT min(day) FROM activity_snapshot)
                    UNION ALL SELECT (SELECT max(day) FROM activity_snapshot))
                SELECT min(day), max(day) FROM ends
                """
            ) { row in (try row.optional { try $0.day() }, try row.optional { try $0.day() }) }
            guard let first = found?.0, let last = found?.1 else { return nil }
            return DayRange(first, through: last)
        }
    }

    func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? {
        try await reader.read { connection in
            if metric == .sleep {
                return try connection.first(
                    """
                    SELECT day FROM sleep_session
                    WHERE role = 'main' AND counts AND (?1 IS NULL OR day <= ?1) ORDER BY day DESC LIMIT 1
                    """, last
                ) { try $0.day() }
            }
            return try connection.first(
                """
                SELECT day FROM daily_progress WHERE metric = ?1 AND (?2 IS NULL OR day <= ?2)
                ORDER BY day DESC LIMIT 1
                """, metric.rawValue, last
            ) { try $0.day() }
        }
    }

    func recordedMetrics() async throws -> [HealthMetric] {
        try await reader.read { connection in
            try connection.rows(
                """
                WITH RECURSIVE \(Self.metrics)
                SELECT metric FROM metrics WHERE metric IS NOT NULL
                UNION SELECT 'sleep' WHERE EXISTS (SELECT 1 FROM sleep_session) ORDER BY metric
                """
            ) { row in HealthMetric(rawValue: try row.text()) }
        }
    }

    func version() async throws -> DataVersion? { try await reader.version() }

    /// The metrics of `daily_progress`, then NULL; each is a search in the index.
    private static let metrics = """
        metrics(metric) AS (
            SELECT min(metric) FROM daily_progress
            UNION ALL SELECT (SELECT min(metric) FROM daily_progress WHERE metric > metrics.metric)
            FROM metrics WHERE metric IS NOT NULL)
        """
}
