public import HealthSyncDomain

/// Random results of metrics for tests of handlers that read them.
public enum HandlerInputs {
    /// Returns results of `metrics` on most of `days`: sums with hours for every metric but `sleep`, whose sessions are
    /// derived from random samples. The same seed gives the same results.
    public static func random(
        of metrics: [HealthMetric], on days: DayRange, clock: DayClock, seed: UInt64
    ) -> DerivedDays {
        var random = SeededRandom(seed: seed)
        var results = DerivedDays()
        for metric in metrics where metric != .sleep {
            for day in days where Int.random(in: 0..<6, using: &random) > 0 {
                results.progress.append(progress(of: metric, on: day, clock: clock, using: &random))
            }
        }
        if metrics.contains(.sleep) {
            let type = SampleTypeDefinition.sleepAnalysis
            let samples = HandlerSamples(of: [type], on: days, clock: clock, seed: seed).samples[type.type] ?? []
            results.sleepSessions =
                SleepSessionBuilder(
                    days: days, gapMinutes: SleepSessionBuilder.standardGapMinutes,
                    nightGapMinutes: SleepSessionBuilder.standardNightGapMinutes, rules: DerivationRules(clock: clock)
                ).sessions(of: samples).sleepSessions
        }
        return results
    }

    private static func progress(
        of metric: HealthMetric, on day: CalendarDay, clock: DayClock, using random: inout SeededRandom
    ) -> DailyProgress {
        let hours = clock.hours(of: day).map { hour in
            HourProgress(
                start: hour.start, figures: ProgressFigures(quantity: Double(Int.random(in: 0...900, using: &random))))
        }
        return DailyProgress(
            metric: metric, day: day, start: clock.start(of: day), unit: "count",
            figures: ProgressFigures(quantity: hours.reduce(0) { $0 + $1.figures.quantity }), hours: hours,
            origins: [OriginProgress(sourceName: "Anna’s iPhone", quantity: 0)])
    }
}
