import HealthSyncDomain

/// Rows of `run_failure`.
enum RunFailureRows {
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
