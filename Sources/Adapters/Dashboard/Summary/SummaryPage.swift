import HealthSyncDomain
import HealthSyncPorts

/// The latest steps, heart rate and sleep, the latest day at a glance, and the week up to it.
struct SummaryPage: Page {
    let path: [String] = []
    let name = "Summary"

    func content(_ context: PageContext) async throws -> [Markup] {
        let repository = context.repository
        guard let last = try await lastDay(context) else {
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet."))]
        }
        let days = WeekOverview.days(through: context.day("day").map { min($0, last) } ?? last)
        let week = WeekOverview(
            through: days.last, snapshots: try await repository.activitySnapshots(days: days))
        let cards = SummaryCards(
            steps: try await latest(.steps, context), heartRate: try await latest(.heartRate, context),
            sleep: try await latestSleep(context), numbers: context.numbers)
        return [cards.markup, WeekSection(week: week, numbers: context.numbers).markup]
    }

    private func lastDay(_ context: PageContext) async throws -> CalendarDay? {
        var last: CalendarDay?
        for metric in SummaryOverview.metricsAtAGlance {
            last = [last, try await context.repository.latestDay(of: metric, through: context.today)].compactMap { $0 }
                .max()
        }
        return last
    }

    private func latest(_ metric: HealthMetric, _ context: PageContext) async throws -> DailyProgress? {
        guard let day = try await context.repository.latestDay(of: metric, through: context.today) else { return nil }
        return try await context.repository.dailyFigures(of: metric, days: DayRange(day)).first
    }

    private func latestSleep(_ context: PageContext) async throws -> SleepSession? {
        guard let day = try await context.repository.latestDay(of: .sleep, through: context.today) else { return nil }
        let overview = SleepOverview(
            days: DayRange(day), sessions: try await context.repository.sleep(days: DayRange(day)))
        return overview.nights.last?.main
    }
}
