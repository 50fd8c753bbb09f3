import HealthSyncDomain

/// Rows of `run`.
enum RunRows {
    static func store(_ end: RunEnd, days: DayRange?, of id: Int64, over connection: SQLiteConnection) throws {
        let reading = end.account.reading
        let (delivery, repair) = (end.account.delivery, end.account.repair)
        try connection.execute(
            """
            UPDATE run SET ended_at_ms = ?, ending = ?, first_day = coalesce(?, first_day),
                last_day = coalesce(?, last_day), sources = ?, unchanged_sources = ?, records_read = ?,
                samples_stored = ?, samples_known = ?, records_refused = ?, records_not_selected = ?,
                samples_deleted = ?, snapshots = ?, items_delivered = ?, items_refused = ?, items_left = ?,
                samples_sent = ?, repair_differing = ?, repair_sent = ?, repair_deleted = ?, repair_left = ?
            WHERE id = ? AND ending IS NULL
            """, end.at, end.ending.rawValue, days?.first, days?.last, reading.sources, reading.unchangedSources,
            reading.records, reading.stored, reading.alreadyKnown, reading.rejected, reading.notSelected,
            reading.deleted, end.account.snapshots, delivery?.delivered, delivery?.rejected, delivery?.left,
            delivery?.samples, repair?.differing, repair?.sent, repair?.deleted, repair?.left, id)
    }

    /// Returns the last `limit` runs, latest first, without the content of other tables.
    static func last(_ limit: Int, over connection: SQLiteConnection) throws -> [RecordedRun] {
        try connection.rows(
            """
            SELECT id, command, started_at_ms, first_day, last_day, ended_at_ms, ending, snapshots, sources,
                unchanged_sources, records_read, samples_stored, samples_known, records_refused,
                records_not_selected, samples_deleted, items_delivered, items_refused, items_left, samples_sent,
                repair_differing, repair_sent, repair_deleted, repair_left
            FROM run ORDER BY id DESC LIMIT ?
            """, max(0, limit)
        ) { try run($0, path: connection.path) }
    }

    private static func run(_ row: SQLiteStatement, path: String) throws -> RecordedRun {
        var run = RecordedRun(
            id: try row.integer(), command: RunCommand(rawValue: try row.text()), startedAt: try row.instant())
        let first = try row.optional { try $0.day() }
        let last = try row.optional { try $0.day() }
        if let first, let last { run.days = DayRange(first, through: last) }
        let endedAt = try row.optional { try $0.instant() }
        guard let ending = try row.optional({ try $0.text() }) else { return run }
        guard let ending = RunEnding(rawValue: ending) else {
            throw SQLiteFailure.damaged(path, "the database contains an unknown ending of a run")
        }
        run.end = RunEnd(at: endedAt, ending: ending, account: try account(row))
        return run
    }

    private static func account(_ row: SQLiteStatement) throws -> RunTotals {
        var account = RunTotals()
        account.snapshots = try row.int()
        account.reading.sources = try row.int()
        account.reading.unchangedSources = try row.int()
        account.reading.records = try row.int()
        account.reading.stored = try row.int()
        account.reading.alreadyKnown = try row.int()
        account.reading.rejected = try row.int()
        account.reading.notSelected = try row.int()
        account.reading.deleted = try row.int()
        let delivery = try four(row)
        let repair = try four(row)
        if let delivery {
            account.delivery = RunTotals.Delivery()
            account.delivery?.delivered = delivery[0]
            account.delivery?.rejected = delivery[1]
            account.delivery?.left = delivery[2]
            account.delivery?.samples = delivery[3]
        }
        if let repair {
            account.repair = RunTotals.Repair()
            account.repair?.differing = repair[0]
            account.repair?.sent = repair[1]
            account.repair?.deleted = repair[2]
            account.repair?.left = repair[3]
        }
        return account
    }

    /// Reads four counts that are all present or all NULL.
    private static func four(_ row: SQLiteStatement) throws -> [Int]? {
        let counts = try (0..<4).map { _ in try row.optional { try $0.int() } }
        return counts.contains(nil) ? nil : counts.compactMap(\.self)
    }
}
