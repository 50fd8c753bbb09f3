import HealthSyncDomain
import HealthSyncPorts

/// A run store on a full disk.
struct FailingRuns: RunStore {
    let failsToBegin: Bool

    private let failure = SyncFailure(.storage, subject: "runs", reason: "the disk is full", advice: "make room")

    init(failsToBegin: Bool) { self.failsToBegin = failsToBegin }

    func begin(
        _ command: RunCommand, at: Instant, days: DayRange?, keeping limit: Int
    ) async throws -> Int64 {
        if failsToBegin { throw failure }
        return 1
    }

    func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws { throw failure }
    func lastRuns(limit: Int) async throws -> [RecordedRun] { [] }
}
