import HealthSyncDomain
import HealthSyncPorts

/// The history of runs, in `run`, `run_metric` and `run_failure`. A run continues without its history, so a failure
/// here does not stop the writer.
struct SQLiteRunStore: RunStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader

    func begin(
        _ command: RunCommand, at instant: Instant, days: DayRange?, keeping limit: Int
    ) async throws -> Int64 {
        try await writer.write(isEssential: false) { transaction in
            let connection = transaction.connection
            try connection.execute(
                "UPDATE run SET ending = ? WHERE ending IS NULL", RunEnding.cutOff.rawValue)
            try connection.execute(
                "INSERT INTO run (command, started_at_ms, first_day, last_day) VALUES (?, ?, ?, ?)", command.rawValue,
                instant, days?.first, days?.last)
            let id = connection.lastInsertedRowID
            try connection.execute(
                "DELETE FROM run WHERE id <= (SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?)", max(1, limit))
            return id
        }
    }

    func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws {
        try await writer.write(isEssential: false) { transaction in
            let connection = transaction.connection
            try RunRows.store(end, days: days, of: id, over: connection)
            guard connection.changedRows > 0 else { return }
            try RunMetricRows.store(end.account.metrics, of: id, over: connection)
            try RunFailureRows.store(end, of: id, over: connection)
        }
    }

    func lastRuns(limit: Int) async throws -> [RecordedRun] {
        try await reader.read { connection in
            try RunRows.last(limit, over: connection).map { run in
                var run = run
                guard var end = run.end else { return run }
                let failures = try RunFailureRows.failures(of: run.id, over: connection)
                end.failures = failures.filter { $0.metric == nil }.map(\.failure)
                end.account.metrics = try RunMetricRows.outcomes(of: run.id, failures: failures, over: connection)
                run.end = end
                return run
            }
        }
    }
}

/// Rows of `run`.
private enum RunRows {
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

/// Rows of `run_metric`.
private enum RunMetricRows {
    static func store(
        _ outcomes: [HealthMetric: SyncOutcome], of id: Int64, over connection: SQLiteConnection
    ) throws {
        for (metric, outcome) in outcomes {
            var (days, records, reason): (Int?, Int?, String?)
            let word: String
            switch outcome {
            case .synced(let derived, let changed): (word, days, records) = ("synced", derived, changed)
            case .nothingNew: word = "nothingNew"
            case .deferred(let why): (word, reason) = ("deferred", why)
            case .failed: word = "failed"
            }
            try connection.execute(
                "INSERT INTO run_metric (run_id, metric, outcome, days, records, reason) VALUES (?, ?, ?, ?, ?, ?)",
                id, metric.rawValue, word, days, records, reason)
        }
    }

    /// Returns the outcomes of run `id`; `failures` provides those that failed.
    static func outcomes(
        of id: Int64, failures: [RunFailureRows.Row], over connection: SQLiteConnection
    ) throws -> [HealthMetric: SyncOutcome] {
        let rows = try connection.rows(
            "SELECT metric, outcome, days, records, reason FROM run_metric WHERE run_id = ?", id
        ) { row -> (HealthMetric, SyncOutcome) in
            let metric = HealthMetric(rawValue: try row.text())
            let word = try row.text()
            let days = try row.optional { try $0.int() }
            let records = try row.optional { try $0.int() }
            let reason = try row.optional { try $0.text() }
            switch (word, days, records, reason) {
            case ("synced", let days?, let records?, _): return (metric, .synced(days: days, records: records))
            case ("nothingNew", _, _, _): return (metric, .nothingNew)
            case ("deferred", _, _, let reason?): return (metric, .deferred(reason))
            default:
                guard word == "failed", let failure = failures.first(where: { $0.metric == metric })?.failure else {
                    throw SQLiteFailure.damaged(
                        connection.path, "the database contains an unknown outcome of a metric")
                }
                return (metric, .failed(failure))
            }
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}

/// Rows of `run_failure`.
private enum RunFailureRows {
    /// A failure and the metric that it stopped; `nil` for a failure of the run.
    struct Row {
        var metric: HealthMetric?
        var failure: SyncFailure
    }

    static func store(_ end: RunEnd, of id: Int64, over connection: SQLiteConnection) throws {
        let ofMetrics = SyncReport(outcomes: end.account.metrics).failures
        let rows =
            ofMetrics.map { Row(metric: $0.metric, failure: $0.failure) }
            + end.failures.map { Row(metric: nil, failure: $0) }
        for (position, row) in rows.enumerated() {
            try connection.execute(
                """
                INSERT INTO run_failure (run_id, position, metric, code, subject, reason, advice)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, id, position, row.metric?.rawValue, row.failure.code.rawValue, row.failure.subject,
                row.failure.reason, row.failure.advice)
        }
    }

    static func failures(of id: Int64, over connection: SQLiteConnection) throws -> [Row] {
        try connection.rows(
            "SELECT metric, code, subject, reason, advice FROM run_failure WHERE run_id = ? ORDER BY position", id
        ) { row in
            let metric = try row.optional { HealthMetric(rawValue: try $0.text()) }
            let code = SyncFailure.Code(rawValue: try row.text())
            return Row(
                metric: metric,
                failure: SyncFailure(
                    code, subject: try row.text(), reason: try row.text(), advice: try row.text()))
        }
    }
}
