package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An in-memory repository of the records that pages and commands show.
package struct InMemoryHealthRepository: HealthRepository {
    let stores: InMemoryStores

    package func progress(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        stores.state.withLock { state in
            state.progress.values
                .map(\.revised.record)
                .filter { (metric == nil || $0.metric == metric) && days.contains($0.day) }
                .sorted { ($0.day, $0.metric) < ($1.day, $1.metric) }
        }
    }

    package func dailyFigures(of metric: HealthMetric?, days: DayRange) async throws -> [DailyProgress] {
        try await progress(of: metric, days: days).map { progress in
            var progress = progress
            progress.hours = []
            return progress
        }
    }

    package func sleep(days: DayRange) async throws -> [SleepSession] {
        stores.state.withLock { state in
            state.sleep.values
                .filter { days.contains($0.record.day) }
                .sorted {
                    ($0.record.day, $0.record.interval.start, $0.sourceID)
                        < ($1.record.day, $1.record.interval.start, $1.sourceID)
                }
                .map(\.record)
        }
    }

    package func activitySnapshots(days: DayRange) async throws -> [ActivitySnapshot] {
        try await stores.tracking.snapshots(days: days).map(\.record)
    }

    package func version() async throws -> DataVersion? {
        stores.state.withLock { state in
            var hasher = Hasher()
            hasher.combine(state.progress.mapValues(\.revised.record))
            hasher.combine(state.sleep.mapValues(\.record))
            hasher.combine(state.snapshots.mapValues(\.record))
            return DataVersion("\(hasher.finalize())")
        }
    }

    package func recordedDays() async throws -> DayRange? {
        stores.state.withLock { state in
            let days =
                state.progress.keys.map(\.day) + state.sleep.values.map(\.record.day) + Array(state.snapshots.keys)
            guard let first = days.min(), let last = days.max() else { return nil }
            return DayRange(first, through: last)
        }
    }

    package func latestDay(of metric: HealthMetric, through last: CalendarDay?) async throws -> CalendarDay? {
        stores.state.withLock { state in
            if metric == .sleep {
                return state.sleep.values.map(\.record).filter { $0.role == .main && $0.share != nil }.map(\.day)
                    .filter { day in last.map { day <= $0 } ?? true }.max()
            }
            return state.progress.keys.filter { $0.metric == metric }.map(\.day)
                .filter { day in last.map { day <= $0 } ?? true }.max()
        }
    }

    package func recordedMetrics() async throws -> [HealthMetric] {
        stores.state.withLock { state in
            Set(state.progress.keys.map(\.metric) + (state.sleep.isEmpty ? [] : [.sleep])).sorted()
        }
    }
}
