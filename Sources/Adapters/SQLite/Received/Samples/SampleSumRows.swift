import HealthSyncDomain

/// The sums of cells in the table `sample_sums`.
enum SampleSumRows {
    /// Adds `changes` to the sums of a series.
    static func apply(_ changes: SampleSumChanges, series: Int64, over connection: SQLiteConnection) throws {
        for (cell, change) in changes.changes() {
            let known = try connection.first(
                """
                SELECT count, digest_high, digest_low, content FROM sample_sums
                WHERE series_id = ?1 AND level = ?2 AND cell = ?3
                """, series, cell.level.rawValue, cell.number, read: sum)
            let sum = (known ?? .zero) + change
            guard sum.count >= 0 else {
                throw SQLiteFailure.damaged(connection.path, "a sum of samples is too small")
            }
            if sum.count == 0 {
                try connection.execute(
                    "DELETE FROM sample_sums WHERE series_id = ?1 AND level = ?2 AND cell = ?3", series,
                    cell.level.rawValue, cell.number)
                continue
            }
            try connection.execute(
                """
                INSERT INTO sample_sums (series_id, level, cell, count, digest_high, digest_low, content)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT DO UPDATE SET count = excluded.count, digest_high = excluded.digest_high,
                    digest_low = excluded.digest_low, content = excluded.content
                """, series, cell.level.rawValue, cell.number, sum.count, Int64(bitPattern: sum.ids.high),
                Int64(bitPattern: sum.ids.low), Int64(bitPattern: sum.content))
        }
    }

    /// Returns the sum of a range of cells.
    static func sum(
        of series: Int64, _ level: SampleSumCell.Level, _ cells: Range<Int64>, over connection: SQLiteConnection
    ) throws -> SampleSetDigest {
        var total = SampleSetDigest()
        try connection.forEach(
            """
            SELECT count, digest_high, digest_low, content FROM sample_sums
            WHERE series_id = ?1 AND level = ?2 AND cell >= ?3 AND cell < ?4
            """, series, level.rawValue, cells.lowerBound, cells.upperBound
        ) { row in
            total += try sum(row)
            return true
        }
        return total
    }

    /// Returns the number of samples in each fine cell of a series, ascending.
    static func counts(of series: Int64, over connection: SQLiteConnection) throws -> [(cell: Int64, count: Int)] {
        try connection.rows(
            "SELECT cell, count FROM sample_sums WHERE series_id = ?1 AND level = ?2 ORDER BY cell", series,
            SampleSumCell.Level.fine.rawValue
        ) { row in (try row.integer(), try row.int()) }
    }

    /// Returns the number of all samples of a series.
    static func count(of series: Int64, over connection: SQLiteConnection) throws -> Int {
        try connection.first(
            "SELECT ifnull(sum(count), 0) FROM sample_sums WHERE series_id = ?1 AND level = ?2", series,
            SampleSumCell.Level.coarse.rawValue
        ) { try $0.int() } ?? 0
    }

    private static func sum(_ row: SQLiteStatement) throws -> SampleSetDigest {
        let ids = IntervalDigest(count: try row.int(), high: try row.bits(), low: try row.bits())
        return SampleSetDigest(ids: ids, content: try row.bits())
    }
}
