public import HealthSyncDomain
public import HealthSyncPorts
import Synchronization

/// A context over samples, and results of other metrics, in memory. It finds the days on which they changed, calls the handler
/// with them, and keeps the results. It stores and delivers nothing.
public final class InMemorySyncContext: MetricSyncContext {
    /// The days of the run.
    public let days: DayRange
    /// The rules of derivation. Zones are those of the system's time zone database.
    public let rules: DerivationRules
    /// The largest number of days that are derived together.
    public let maximumDays: Int
    /// The error that every derivation throws before it begins; `nil` for none.
    public let failure: (any Error)?

    private struct State {
        var samples: [SampleType: [OriginSamples]]
        var inputs: DerivedDays
        var results: [HealthMetric: [CalendarDay: DerivedDays]] = [:]
        var tracked: [HealthMetric: [CalendarDay: DayContent]] = [:]
        var derivedRanges: [DayRange] = []
        var skipped: [HealthMetric: [String: Int]] = [:]
    }

    private let state: Mutex<State>

    /// Creates a context for `days` over `samples`, and over the results of other metrics in `inputs`.
    public init(
        days: DayRange, clock: DayClock, samples: [SampleType: [OriginSamples]], inputs: DerivedDays = DerivedDays(),
        originPriority: OriginPriority = OriginPriority(), settings: HandlerSettings = HandlerSettings(),
        maximumDays: Int = 7, failure: (any Error)? = nil
    ) {
        self.days = days
        rules = DerivationRules(clock: clock, originPriority: originPriority, settings: settings) { name in
            (ZoneRules(statedOffset: name) ?? (try? ZoneRules(identifier: name))).map { DayClock(home: $0) }
        }
        self.maximumDays = max(1, maximumDays)
        self.failure = failure
        state = Mutex(State(samples: samples, inputs: inputs))
    }

    /// The results of other metrics in the next run. A handler sees those of its `inputs`.
    public var inputs: DerivedDays {
        get { state.withLock { $0.inputs } }
        set { state.withLock { $0.inputs = newValue } }
    }

    /// The samples of the next run.
    public var samples: [SampleType: [OriginSamples]] {
        get { state.withLock { $0.samples } }
        set { state.withLock { $0.samples = newValue } }
    }

    /// The runs of days that were derived so far, in order.
    public var derivedRanges: [DayRange] { state.withLock { $0.derivedRanges } }

    /// Returns the results of the handler of `metric` so far: figures by day and metric, sessions by night and start, and the
    /// numbers of samples that were skipped in all derivations.
    public func derived(by metric: HealthMetric) -> DerivedDays {
        var whole = DerivedDays(skipped: state.withLock { $0.skipped[metric] ?? [:] })
        for (_, day) in state.withLock({ $0.results[metric] ?? [:] }).sorted(by: { $0.key < $1.key }) {
            whole.progress += day.progress.sorted { $0.metric < $1.metric }
            whole.sleepSessions += day.sleepSessions.sorted {
                ($0.interval.start, $0.origin.canonicalText) < ($1.interval.start, $1.origin.canonicalText)
            }
        }
        return whole
    }

    /// Derives the changed days, at most `maximumDays` together.
    public func deriveChangedDays(of handler: any HealthMetricSyncHandler) async throws -> SyncOutcome {
        if let failure { throw failure }
        let metric = handler.metric
        let finder = WindowFinder(
            samples: samples, types: handler.reads.map(\.type), reach: handler.reach, clock: rules.clock,
            zone: rules.clock(forZone:))
        let inputs = Self.inputs(of: handler, among: inputs)
        let content = Dictionary(
            uniqueKeysWithValues: days.map {
                (
                    $0,
                    DayContent(
                        version: handler.version, window: finder.content(of: $0), inputs: Self.part(of: inputs, on: $0))
                )
            })
        let tracked = state.withLock { $0.tracked[metric] ?? [:] }
        let changed = days.filter { tracked[$0] != content[$0] }
        var records = 0
        for stretch in DayRange.runs(of: changed, atMost: maximumDays) {
            try Task.checkCancellation()
            // Results of other days are not there, as in a run.
            let part = DerivedDays(
                progress: inputs.progress.filter { stretch.contains($0.day) },
                sleepSessions: inputs.sleepSessions.filter { stretch.contains($0.day) })
            let window = finder.window(of: stretch).with(part)
            let derived = try handler.derive(stretch, from: window, by: rules)
            try Self.requireDays(stretch, of: derived)
            records += derived.progress.count + derived.sleepSessions.count
            state.withLock { state in
                state.derivedRanges.append(stretch)
                state.skipped[metric, default: [:]].merge(derived.skipped) { $0 + $1 }
                for day in stretch {
                    state.tracked[metric, default: [:]][day] = content[day]
                    state.results[metric, default: [:]][day] = Self.part(of: derived, on: day)
                }
            }
        }
        return changed.isEmpty ? .nothingNew : .synced(days: changed.count, records: records)
    }

    private static func inputs(of handler: any HealthMetricSyncHandler, among all: DerivedDays) -> DerivedDays {
        DerivedDays(
            progress: all.progress.filter { handler.inputs.contains($0.metric) },
            sleepSessions: handler.inputs.contains(.sleep) ? all.sleepSessions : [])
    }

    private static func part(of derived: DerivedDays, on day: CalendarDay) -> DerivedDays {
        DerivedDays(
            progress: derived.progress.filter { $0.day == day },
            sleepSessions: derived.sleepSessions.filter { $0.day == day })
    }

    private static func requireDays(_ days: DayRange, of derived: DerivedDays) throws {
        let given = derived.progress.map(\.day) + derived.sleepSessions.map(\.day)
        if let stray = given.first(where: { !days.contains($0) }) {
            throw ContractViolation("derived \(stray), which is not one of \(days.first) to \(days.last)")
        }
    }
}

/// The inputs of a day.
private struct DayContent: Equatable {
    var version: Int
    var window: [WindowFinder.Content]
    var inputs: DerivedDays
}
