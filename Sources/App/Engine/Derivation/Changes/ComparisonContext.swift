import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A context that derives nothing: it collects the days that a run would derive.
struct ComparisonContext: MetricSyncContext {
    let days: DayRange
    let ports: EnginePorts
    let settings: EngineSettings
    let parts: CompleteParts
    let found = FoundDays()

    /// The days of all handlers.
    final class FoundDays: Sendable {
        private let all = Mutex<Set<CalendarDay>>([])

        var days: Set<CalendarDay> { all.withLock { $0 } }

        func add(_ days: [CalendarDay]) { all.withLock { $0.formUnion(days) } }
    }

    var rules: DerivationRules {
        DerivationRules(clock: settings.clock, originPriority: settings.originPriority)
    }

    func deriveChangedDays(of handler: any HealthMetricSyncHandler) async throws -> SyncOutcome {
        let changes = ChangedDays(ports: ports, settings: settings, handler: handler)
        if try await !parts.isComplete(.metric(handler.metric), by: changes.rules) {
            found.add(try await changes.find(in: days).days)
        }
        return .nothingNew
    }
}
