/// The latest of what people ask for first, and the week up to it.
package struct SummaryOverview: Hashable, Sendable {
    /// The latest day with steps.
    package var steps: DailyProgress?
    /// The latest day with heart rate.
    package var heartRate: DailyProgress?
    /// The resting heart rate of that day.
    package var restingHeartRate: DailyProgress?
    /// The latest night's preferred main sleep.
    package var sleep: SleepSession?
    /// The seven days that end with the latest day of any figure at a glance; `nil` when nothing is recorded.
    package var week: WeekOverview?

    /// A summary of these.
    package init(
        steps: DailyProgress? = nil, heartRate: DailyProgress? = nil,
        restingHeartRate: DailyProgress? = nil, sleep: SleepSession? = nil, week: WeekOverview? = nil
    ) {
        self.steps = steps
        self.heartRate = heartRate
        self.restingHeartRate = restingHeartRate
        self.sleep = sleep
        self.week = week
    }

    /// The metrics of which an `ActivitySnapshot` is made, and heart rate: their latest day ends the week.
    package static let metricsAtAGlance: [HealthMetric] = [
        .steps, .heartRate, .sleep, .walkingDistance, .activeEnergy, .exerciseMinutes, .restingHeartRate,
    ]

    /// The snapshot of the week's last day.
    package var snapshot: ActivitySnapshot? { week?.snapshots.last }
}
