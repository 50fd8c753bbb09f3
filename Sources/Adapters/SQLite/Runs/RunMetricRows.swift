import HealthSyncDomain

/// Rows of `run_metric`.
enum RunMetricRows {
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
