package import HealthSyncDomain

extension HealthRepository {
    /// Returns the latest steps, heart rate and sleep, and the week up to `day`. If `day` is `nil` or later than the
    /// latest day with any of the figures shown at a glance, the week ends on that latest day. Data dated after
    /// `today` is never the latest.
    package func summary(through day: CalendarDay? = nil, today: CalendarDay) async throws -> SummaryOverview {
        var summary = SummaryOverview()
        summary.steps = try await latestFigures(of: .steps, through: today)
        summary.heartRate = try await latestFigures(of: .heartRate, through: today)
        if let day = summary.heartRate?.day {
            summary.restingHeartRate = try await dailyFigures(of: .restingHeartRate, days: DayRange(day)).first
        }
        if let night = try await latestDay(of: .sleep, through: today) {
            let sleep = SleepOverview(days: DayRange(night), sessions: try await sleep(days: DayRange(night)))
            summary.sleep = sleep.nights.first?.main
        }
        var latest: CalendarDay?
        for metric in SummaryOverview.metricsAtAGlance {
            latest = [latest, try await latestDay(of: metric, through: today)].compactMap { $0 }.max()
        }
        if let latest {
            let last = day.map { min($0, latest) } ?? latest
            let snapshots = try await activitySnapshots(days: WeekOverview.days(through: last))
            summary.week = WeekOverview(through: last, snapshots: snapshots)
        }
        return summary
    }

    private func latestFigures(of metric: HealthMetric, through last: CalendarDay) async throws -> DailyProgress? {
        guard let day = try await latestDay(of: metric, through: last) else { return nil }
        return try await dailyFigures(of: metric, days: DayRange(day)).first
    }
}
