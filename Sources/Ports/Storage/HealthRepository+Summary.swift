package import HealthSyncDomain

extension HealthRepository {
    /// Returns the latest figures of every metric, the latest night, and the week up to `day`. If `day` is `nil` or
    /// later than the latest day with any of the figures shown at a glance, the week ends on that latest day. Data
    /// dated after `today` is never the latest. Throws errors of the store.
    package func summary(through day: CalendarDay? = nil, today: CalendarDay) async throws -> SummaryOverview {
        var summary = SummaryOverview()
        summary.metrics = try await latestFigures(through: today)
        summary.steps = summary.metrics.first { $0.metric == .steps }
        summary.heartRate = summary.metrics.first { $0.metric == .heartRate }
        if let day = summary.heartRate?.day {
            summary.restingHeartRate = try await dailyFigures(of: .restingHeartRate, days: DayRange(day)).first
        }
        let night = try await latestDay(of: .sleep, through: today)
        if let night {
            let sleep = SleepOverview(days: DayRange(night), sessions: try await sleep(days: DayRange(night)))
            summary.sleep = sleep.nights.first?.main
        }
        let glanced = summary.metrics.filter { SummaryOverview.metricsAtAGlance.contains($0.metric) }.map(\.day)
        if let latest = (glanced + [night].compactMap { $0 }).max() {
            let last = day.map { min($0, latest) } ?? latest
            let snapshots = try await activitySnapshots(days: WeekOverview.days(through: last))
            summary.week = WeekOverview(through: last, snapshots: snapshots, today: today)
        }
        let shown = [
            // A watch reports the resting heart rate of a day only in the course of it.
            (HealthMetric.steps, summary.steps?.day),
            (.restingHeartRate, try await latestDay(of: .restingHeartRate, through: today)),
            (.sleep, night),
        ]
        for (metric, day) in shown {
            guard let day else { continue }
            // A sum of today is not complete and would lower the mean.
            let last = metric == .steps && day == today ? day.advanced(by: -1) : day
            summary.trends[metric] = try await trend(of: metric, through: last)
        }
        return summary
    }

    /// Returns the figures of every metric on its latest day up to `last`, by metric. Throws errors of the store.
    package func latestFigures(through last: CalendarDay) async throws -> [DailyProgress] {
        var latest: [DailyProgress] = []
        for metric in try await recordedMetrics().sorted() where metric != .sleep {
            guard let day = try await latestDay(of: metric, through: last) else { continue }
            latest += try await dailyFigures(of: metric, days: DayRange(day)).prefix(1)
        }
        return latest
    }

    /// Returns how long ago the records end; `nil` if none are dated `today` or before. Throws errors of the store.
    package func freshness(today: CalendarDay) async throws -> DataFreshness? {
        guard let recorded = try await recordedDays() else { return nil }
        // Records dated in the future, for example by a device with a wrong clock, are not the latest data.
        if let freshness = DataFreshness(last: recorded.last, today: today) { return freshness }
        var last: CalendarDay?
        for metric in try await recordedMetrics() {
            guard let day = try await latestDay(of: metric, through: today) else { continue }
            last = max(last ?? day, day)
        }
        return last.flatMap { DataFreshness(last: $0, today: today) }
    }

    /// Returns the trend of `metric` over the thirty days that end with `last`. Throws errors of the store.
    package func trend(of metric: HealthMetric, through last: CalendarDay) async throws -> MetricTrend {
        var quantities: [DailyQuantity] = []
        for days in MetricTrend.needed(through: last) {
            quantities += try await dailyQuantities(of: metric, days: days)
        }
        return MetricTrend(through: last, quantities: quantities)
    }
}
