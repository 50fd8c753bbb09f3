import HealthSyncDomain
import HealthSyncPorts

/// Records runs in the history.
struct RunRecorder: Sendable {
    let ports: EnginePorts

    /// Executes `body`, which updates the report of the run, and records the run however it ends. Failures of
    /// recording are logged and otherwise ignored.
    func run(
        _ command: RunCommand, days: DayRange?, _ body: (inout RunReport) async throws -> Void
    ) async throws -> RunReport {
        var report = RunReport()
        let id = await loggingFailure {
            try await ports.runs.begin(command, at: ports.time.now(), days: days, keeping: EngineSettings.runsKept)
        }
        do {
            try await body(&report)
        } catch {
            await end(id, &report, after: error)
            throw error
        }
        await end(id, &report, after: nil)
        return report
    }

    private func end(_ id: Int64?, _ report: inout RunReport, after error: (any Error)?) async {
        // The end is recorded even if the records cannot be read.
        let derived = report.days
        if let days = await loggingFailure({ try await recordedDays(derived) }) { report.days = days }
        guard let id else { return }
        let (end, days) = (report.end(at: ports.time.now(), after: error), report.days)
        _ = await loggingFailure { try await ports.runs.end(id, end, days: days) }
    }

    /// Leaves out the days before the first and after the last record: a run derives them too, because they are in
    /// reach of a sample. Returns `days` if none has a record.
    private func recordedDays(_ days: DayRange?) async throws -> DayRange? {
        guard let days, let recorded = try await ports.repository.recordedDays() else { return days }
        return days.intersection(recorded) ?? days
    }

    private func loggingFailure<Value>(_ body: () async throws -> Value) async -> Value? {
        do {
            return try await body()
        } catch {
            ports.log.note("the run history could not be written: \(FailureText.of(error))", level: .warning)
            return nil
        }
    }
}
