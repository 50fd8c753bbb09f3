import HealthSyncDomain
import HealthSyncPorts

/// Finds what a summary shows.
struct SummaryReader {
    let repository: any HealthRepository
    /// What is dated later is not the latest.
    let today: CalendarDay

    /// Everything recorded of one day.
    struct DayRecord {
        let day: CalendarDay
        let snapshot: ActivitySnapshot?
        let progress: [DailyProgress]
        let sleep: [SleepSession]
    }

    func record(of day: CalendarDay) async throws -> DayRecord {
        DayRecord(
            day: day, snapshot: try await repository.activitySnapshots(days: DayRange(day)).first,
            progress: try await repository.dailyFigures(of: nil, days: DayRange(day)),
            sleep: try await repository.sleep(days: DayRange(day)))
    }

    func latest() async throws -> SummaryOverview {
        var summary = SummaryOverview()
        summary.steps = try await latest(.steps)
        summary.heartRate = try await latest(.heartRate)
        if let night = try await repository.latestDay(of: .sleep, through: today) {
            let sleep = SleepOverview(
                days: DayRange(night), sessions: try await repository.sleep(days: DayRange(night)))
            summary.sleep = sleep.nights.first?.main
        }
        var last: CalendarDay?
        for metric in SummaryOverview.metricsAtAGlance {
            last = [last, try await repository.latestDay(of: metric, through: today)].compactMap { $0 }.max()
        }
        if let last {
            let snapshots = try await repository.activitySnapshots(days: WeekOverview.days(through: last))
            summary.week = WeekOverview(through: last, snapshots: snapshots)
        }
        return summary
    }

    private func latest(_ metric: HealthMetric) async throws -> DailyProgress? {
        guard let day = try await repository.latestDay(of: metric, through: today) else { return nil }
        return try await repository.dailyFigures(of: metric, days: DayRange(day)).first
    }
}
