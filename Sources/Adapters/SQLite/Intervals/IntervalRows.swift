import HealthSyncDomain

/// Rows of `sync_interval`.
enum IntervalRows {
    /// The columns that `interval` reads.
    static let columns = "start_ms, end_ms, step_count, sample_count, id_sum"

    /// A condition that selects the type given as first parameter.
    static let isOfType = "type_id = (SELECT id FROM sample_type WHERE identifier = ?1)"

    static func interval(_ row: SQLiteStatement, path: String) throws -> SyncInterval {
        let start = try row.instant()
        let seconds = (try row.integer() - start.milliseconds) / 1000
        guard let interval = GridInterval(start: start, seconds: seconds) else {
            throw SQLiteFailure.damaged(path, "the database contains an interval that is not on the grid")
        }
        let steps = try row.integer()
        let count = try row.int()
        let sum = try row.digest()
        return SyncInterval(
            interval: interval,
            figures: IntervalFigures(
                stepCount: steps, digest: IntervalDigest(count: count, high: sum.high, low: sum.low)))
    }

    static func store(_ interval: SyncInterval, type: Int64, over connection: SQLiteConnection) throws {
        let figures = interval.figures
        try connection.execute(
            """
            INSERT OR REPLACE INTO sync_interval (type_id, start_ms, end_ms, step_count, sample_count, id_sum)
            VALUES (?, ?, ?, ?, ?, ?)
            """, type, interval.interval.start, interval.interval.end, figures.stepCount, figures.sampleCount,
            ContentDigest(high: figures.digest.high, low: figures.digest.low))
    }
}
