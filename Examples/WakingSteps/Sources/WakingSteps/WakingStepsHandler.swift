public import HealthSyncDomain
public import HealthSyncPorts

extension HealthMetric {
    /// Steps per hour awake; unit `count/h`.
    public static let wakingSteps = HealthMetric(rawValue: "wakingSteps")
}

/// Divides the steps of a day by its hours without the sleep of its night and naps. Both are results of other handlers, which
/// decided already which of several devices counts.
public struct WakingStepsHandler: HealthMetricSyncHandler {
    /// Creates the handler.
    public init() {}

    /// `wakingSteps`.
    public var metric: HealthMetric { .wakingSteps }

    /// No samples.
    public var reads: [SampleTypeDefinition] { [] }

    /// Steps and sleep.
    public var inputs: [HealthMetric] { [.steps, .sleep] }

    /// A mean: a week is the steps of its days by their hours awake.
    public var results: [MetricDefinition] { [MetricDefinition(.wakingSteps, unit: "count/h", kind: .mean)] }

    static let countsNaps = HandlerSetting("countsNaps", .flag(default: true), "Whether naps count as sleep")

    /// Whether naps count.
    public var settings: [HandlerSetting] { [Self.countsNaps] }

    /// The first version of the rule.
    public var version: Int { 1 }

    /// Returns the figures of `days`. A day without steps or without sleep has none: its hours awake are not known.
    public func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        DerivedDays(progress: days.compactMap { figures(of: $0, from: window, by: rules) })
    }

    private func figures(of day: CalendarDay, from window: SampleWindow, by rules: DerivationRules) -> DailyProgress? {
        let countsNaps = rules.settings.flag(Self.countsNaps)
        let clock = rules.clock
        let sessions = window.sleepSessions(on: day).filter { countsNaps || $0.role != .nap }
        // Of a night in bed alone it is not known how long sleep was.
        guard let steps = window.figures(of: .steps, on: day),
            sessions.contains(where: { $0.share?.durations.isSleepKnown == true })
        else { return nil }
        // What recorders of one night share counts once.
        let asleep = sessions.reduce(0) { $0 + ($1.share?.durations.asleep ?? 0) }
        let awake = clock.interval(of: day).milliseconds - asleep
        guard awake > 0 else { return nil }
        let hours = Double(awake) / 3_600_000
        return DailyProgress(
            metric: metric, day: day, start: clock.start(of: day), unit: "count/h",
            figures: ProgressFigures(
                quantity: (steps.figures.quantity / hours).asFigure, count: 1, heldMilliseconds: awake))
    }
}
