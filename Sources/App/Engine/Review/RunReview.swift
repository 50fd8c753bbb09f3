package import HealthSyncDomain
import HealthSyncPorts

/// Reads the recorded runs.
package struct RunReview: RunReader {
    let ports: EnginePorts

    package func runHistory(limit: Int) async throws -> RunHistory {
        let before = try await ports.runs.lastRuns(limit: limit)
        let open = Set(before.filter { $0.end == nil }.map(\.id))
        guard !open.isEmpty else { return RunHistory(runs: before) }
        let current = ports.runWatch.activeRun()
        // A run may have ended since the first query. Its stored end takes precedence.
        var runs = try await ports.runs.lastRuns(limit: limit)
        for index in runs.indices where runs[index].end == nil && open.contains(runs[index].id) {
            // If the folder was locked after the run began, the lock belongs to another run.
            if current.map({ $0.since > runs[index].startedAt }) ?? true { runs[index].end = .cutOff }
        }
        return RunHistory(runs: runs, progress: runs.contains { $0.end == nil } ? current?.progress : nil)
    }
}
