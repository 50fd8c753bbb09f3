public import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The days with a result that was derived from other samples or by other rules than the current ones.
public struct OutOfDateDays: Sendable, Hashable {
    /// The number of days.
    public package(set) var count = 0
    /// From the first to the last day; `nil` if the count is 0.
    public package(set) var extent: DayRange?

    /// Summarizes `days`.
    package init(_ days: Set<CalendarDay> = []) {
        count = days.count
        if let first = days.min(), let last = days.max() { extent = DayRange(first, through: last) }
    }
}

/// Finds the days whose results are out of date. Changes nothing.
package struct OutOfDateCheck: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns the stored days that the next unbounded run would derive. Reads only digests, and none of complete metrics.
    package func run() async throws -> OutOfDateDays {
        let check = OutOfDateCheck(ports: ports, settings: try await settings.active(in: ports))
        guard let known = try await KnownDays(ports: ports, settings: check.settings).find() else {
            return OutOfDateDays()
        }
        return try await check.run(among: known)
    }

    /// Returns the days that the next unbounded run of the handler of `metric`, and of those whose results it reads, would
    /// derive, regardless of other metrics.
    package func run(of metric: HealthMetric) async throws -> OutOfDateDays {
        let handlers = settings.handlers.filter { handler in handler.results.contains { $0.metric == metric } }
        let stored = handlers.isEmpty ? settings.handlerForStoredMetric?(metric) : nil
        var own = settings
        own.furtherHandlers = []
        own.handlers = withInputs(handlers + (stored.map { [$0] } ?? []))
        guard !own.handlers.isEmpty, let known = try await KnownDays(ports: ports, settings: own).find() else {
            return OutOfDateDays()
        }
        let parts = CompleteParts(ports: ports, clock: own.clock, known: known)
        let check = OutOfDateCheck(ports: ports, settings: own)
        return try await check.storedDays(of: try await check.underived(among: known, parts).found.days)
    }

    /// Returns the handlers with those whose results they read.
    private func withInputs(_ handlers: [any HealthMetricSyncHandler]) -> [any HealthMetricSyncHandler] {
        var all = handlers
        var place = 0
        while place < all.count {
            for input in all[place].inputs where !all.contains(where: { $0.derives(input) }) {
                let author =
                    (settings.handlers + settings.furtherHandlers).first { $0.derives(input) }
                    ?? settings.handlerForStoredMetric?(input)
                if let author, author.derives(input) { all.append(author) }
            }
            place += 1
        }
        return all
    }

    /// Returns those of the `known` days.
    func run(among known: DayRange) async throws -> OutOfDateDays {
        let parts = CompleteParts(ports: ports, clock: settings.clock, known: known)
        let context = try await underived(among: known, parts)
        let request = SyncRequest(scope: .historical, days: known, userProfileID: nil)
        let snapshots = SnapshotUpdate(ports: ports, request: request, parts: parts)
        return try await storedDays(of: context.found.days.union(try await snapshots.changedDays().days))
    }

    /// Leaves out the days before the first and after the last stored one: a run derives them because they are in reach
    /// of a sample, but they have no data. Keeps them if no other day is out of date.
    private func storedDays(of days: Set<CalendarDay>) async throws -> OutOfDateDays {
        guard !days.isEmpty, let stored = try await KnownDays(ports: ports, settings: settings).stored() else {
            return OutOfDateDays(days)
        }
        let known = days.filter(stored.contains)
        return OutOfDateDays(known.isEmpty ? days : known)
    }

    /// Compares the days of every handler.
    private func underived(among known: DayRange, _ parts: CompleteParts) async throws -> ComparisonContext {
        let context = ComparisonContext(days: known, ports: ports, settings: settings, parts: parts)
        for handler in settings.handlers {
            try Task.checkCancellation()
            _ = try await handler.syncHistorical(in: context)
        }
        return context
    }
}

/// A context that derives nothing: it collects the days that a run would derive.
private struct ComparisonContext: MetricSyncContext {
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
        if try await !changes.isComplete(among: parts) {
            found.add(try await changes.find(in: days).days)
        }
        return .nothingNew
    }
}
