package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory store of runs.
package final class InMemoryRunStore: RunStore {
    private let runs = Mutex<[RecordedRun]>([])

    package init() {}

    package func begin(
        _ command: RunCommand, at instant: Instant, days: DayRange?, keeping limit: Int
    ) async throws -> Int64 {
        runs.withLock { runs in
            for index in runs.indices where runs[index].end == nil { runs[index].end = .cutOff }
            let id = (runs.last?.id ?? 0) + 1
            runs.append(RecordedRun(id: id, command: command, startedAt: instant, days: days))
            runs = runs.suffix(max(1, limit))
            return id
        }
    }

    package func end(_ id: Int64, _ end: RunEnd, days: DayRange?) async throws {
        runs.withLock { runs in
            guard let index = runs.firstIndex(where: { $0.id == id && $0.end == nil }) else { return }
            runs[index].end = end
            runs[index].days = days ?? runs[index].days
        }
    }

    package func lastRuns(limit: Int) async throws -> [RecordedRun] {
        runs.withLock { Array($0.suffix(max(0, limit)).reversed()) }
    }
}
