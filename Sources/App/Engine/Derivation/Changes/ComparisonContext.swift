import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A context in which handlers derive nothing: finds the days that they would derive.
struct ComparisonContext: MetricSyncContext {
    let days: DayRange
    let ports: EnginePorts
    let settings: EngineSettings
    let parts: CompleteParts
    let found = FoundDays()

    /// Days by whichever handler.
    final class FoundDays: Sendable {
        private let all = Mutex<Set<CalendarDay>>([])

        var days: Set<CalendarDay> { all.withLock { $0 } }

        func add(_ days: [CalendarDay]) { all.withLock { $0.formUnion(days) } }
    }

    var clock: DayClock { settings.clock }
    var originPriority: OriginPriority { settings.originPriority }

    func clock(forZone name: String?) -> DayClock { settings.clock }

    func deriveChangedDays(
        of metric: HealthMetric, version: Int, reading types: [SampleType], reach: SampleReach,
        _ derive: @escaping @Sendable (DayRange, SampleWindow) throws -> DerivedDays
    ) async throws -> SyncOutcome {
        let changes = ChangedDays(
            ports: ports, settings: settings, metric: metric, version: version, types: types, reach: reach)
        if try await !parts.isComplete(.metric(metric), by: changes.rules) {
            found.add(try await changes.find(in: days).days)
        }
        return .nothingNew
    }
}
