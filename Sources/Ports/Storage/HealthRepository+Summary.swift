package import HealthSyncDomain

extension HealthRepository {
    /// The latest steps, heart rate and sleep, and the week up to `day`, or up to the latest day of any figure at a glance
    /// where that is earlier or `day` is `nil`; what is dated after `today` is not the latest. Asks only the questions above.
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
