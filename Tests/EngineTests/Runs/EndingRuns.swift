import HealthSyncDomain
import HealthSyncPorts

/// A run store in which a run ends just after it was read.
struct EndingRuns: RunStore {
    let store: any RunStore
    let id: Int64
    let end: RunEnd

    func begin(
        _ command: RunCommand, at instant: Instant, days: DayRange?, keeping limit: Int
    ) async throws -> Int64 {
        try await store.begin(command, at: instant, days: days, keeping: limit)
    }

    func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws { try await store.end(id, end, days: days) }

    func lastRuns(limit: Int) async throws -> [RecordedRun] {
        let runs = try await store.lastRuns(limit: limit)
        try await store.end(id, end, days: nil)
        return runs
    }
}
