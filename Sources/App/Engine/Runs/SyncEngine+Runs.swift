package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine: RunReader {
    /// The number of runs in the history.
    package static let runsKept = 1_000

    package func runHistory(limit: Int) async throws -> RunHistory {
        let before = try await ports.runs.lastRuns(limit: limit)
        let open = Set(before.filter { $0.end == nil }.map(\.id))
        guard !open.isEmpty else { return RunHistory(runs: before) }
        let atWork = ports.runWatch.activeRun()
        // A run may have ended since the first query. Its stored end takes precedence.
        var runs = try await ports.runs.lastRuns(limit: limit)
        for index in runs.indices where runs[index].end == nil && open.contains(runs[index].id) {
            // If the folder was locked after the run began, the lock belongs to another run.
            if atWork.map({ $0.since > runs[index].startedAt }) ?? true { runs[index].end = .cutOff }
        }
        return RunHistory(runs: runs, progress: runs.contains { $0.end == nil } ? atWork?.progress : nil)
    }

    /// Records a run that could not begin because of `error`.
    package func recordUnstartedRun(_ command: RunCommand, days: DayRange?, because error: any Error) async {
        _ = try? await recorded(command, days: days) { _ in throw error }
    }

    /// Executes `body`, which updates the report of the run, and records the run however it ends. Failures of
    /// recording are logged and otherwise ignored.
    func recorded(
        _ command: RunCommand, days: DayRange?, _ body: (inout RunReport) async throws -> Void
    ) async throws -> RunReport {
        var report = RunReport()
        let id = await loggingFailure {
            try await ports.runs.begin(command, at: ports.time.now(), days: days, keeping: Self.runsKept)
        }
        do {
            try await body(&report)
        } catch {
            await end(id, report, after: error)
            throw error
        }
        await end(id, report, after: nil)
        return report
    }

    private func end(_ id: Int64?, _ report: RunReport, after error: (any Error)?) async {
        guard let id else { return }
        let end = report.end(at: ports.time.now(), after: error)
        _ = await loggingFailure { try await ports.runs.end(id, end, days: report.days) }
    }

    private func loggingFailure<Value>(_ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch {
            ports.log.note("the run history could not be written: \(FailureText.of(error))", isDetail: false)
            return nil
        }
    }
}
