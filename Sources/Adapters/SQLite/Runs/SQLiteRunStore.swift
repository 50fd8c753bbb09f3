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
