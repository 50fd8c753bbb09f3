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
