/// The latest figures of every metric, and the week up to them.
package struct SummaryOverview: Hashable, Sendable {
    /// The latest day with steps.
    package var steps: DailyProgress?
    /// The latest day with heart rate.
    package var heartRate: DailyProgress?
    /// The resting heart rate of that day.
    package var restingHeartRate: DailyProgress?
    /// The latest main sleep.
    package var sleep: SleepEpisode?
    /// The latest day of each metric that has figures, by metric; these include steps and heart rate.
    package var metrics: [DailyProgress]
    /// The seven days up to the latest day of any metric in a snapshot; `nil` without records.
    package var week: WeekOverview?
    /// The trends of steps, resting heart rate and minutes asleep up to the last complete day shown for each.
    package var trends: [HealthMetric: MetricTrend]

    /// Creates a summary with these members.
    package init(
        steps: DailyProgress? = nil, heartRate: DailyProgress? = nil, restingHeartRate: DailyProgress? = nil,
        sleep: SleepEpisode? = nil, metrics: [DailyProgress] = [], week: WeekOverview? = nil,
        trends: [HealthMetric: MetricTrend] = [:]
    ) {
        self.steps = steps
        self.heartRate = heartRate
        self.restingHeartRate = restingHeartRate
        self.sleep = sleep
        self.metrics = metrics
        self.week = week
        self.trends = trends
    }

    /// The metrics of an `ActivitySnapshot`, and heart rate: their latest day is the last day of the week.
    package static let metricsAtAGlance: [HealthMetric] = [
        .steps, .heartRate, .sleep, .walkingDistance, .activeEnergy, .exerciseMinutes, .restingHeartRate,
    ]

    /// The latest figures of the metrics that the summary does not show in another place: all but steps and heart rate,
    /// and all but the resting heart rate that is shown with the heart rate of its day.
    package var otherMetrics: [DailyProgress] {
        metrics.filter { $0.metric != .steps && $0.metric != .heartRate && $0 != restingHeartRate }
    }

    /// Whether nothing is recorded.
    package var isEmpty: Bool { week == nil && metrics.isEmpty }

    /// The snapshot of the last day of the week.
    package var snapshot: ActivitySnapshot? { week?.snapshots.last }
}

/// Seven days at a glance.
package struct WeekOverview: Hashable, Sendable {
    package let days: DayRange
    /// One snapshot for each day, ascending; empty for days without measurements.
    package let snapshots: [ActivitySnapshot]
    /// The current day, if it is one of the seven: its sums are incomplete.
    package let incompleteDay: CalendarDay?

    /// Creates the overview of the seven days that end with `last`. Ignores snapshots of other days.
    package init(through last: CalendarDay, snapshots: [ActivitySnapshot], today: CalendarDay) {
        days = Self.days(through: last)
        incompleteDay = days.contains(today) ? today : nil
        let known = Dictionary(snapshots.map { ($0.day, $0) }) { first, _ in first }
        self.snapshots = days.map { known[$0] ?? ActivitySnapshot(day: $0) }
    }

    /// Returns the seven days that end with `last`.
    package static func days(through last: CalendarDay) -> DayRange { DayRange(last).widened(before: 6, after: 0) }

    /// Whether the means of sums leave out the incomplete day, because other days have sums.
    package var averagesLackToday: Bool {
        incompleteDay != nil && snapshots.contains { $0.day != incompleteDay && $0.hasSums }
    }

    /// Returns the mean of a figure over the days that have it, for a sum without the incomplete day if another day has
    /// any sum; `nil` if none has.
    package func average(ofSum isSum: Bool, _ figure: (ActivitySnapshot) -> Double?) -> Double? {
        let counted = isSum && averagesLackToday ? snapshots.filter { $0.day != incompleteDay } : snapshots
        let values = counted.compactMap(figure)
        return values.isEmpty ? nil : (values.reduce(0, +) / Double(values.count)).asFigure
    }
}

extension ActivitySnapshot {
    fileprivate var hasSums: Bool {
        [steps, walkingDistanceKilometres, activeEnergyKilocalories, exerciseMinutes].contains { $0 != nil }
    }
}
