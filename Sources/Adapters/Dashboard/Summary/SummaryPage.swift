import HealthSyncDomain
import HealthSyncPorts

/// The latest steps, heart rate and sleep, the latest day at a glance, and the week up to it.
struct SummaryPage: Page {
    let path: [String] = []
    let name = "Summary"
    /// How records come here, told where there are none.
    let advice: String

    func content(_ context: PageContext) async throws -> [Markup] {
        let repository = context.repository
        guard let last = try await lastDay(repository) else {
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet. \(advice)"))]
        }
        let days = WeekOverview.days(through: context.day("day").map { min($0, last) } ?? last)
        let week = WeekOverview(
            through: days.last, snapshots: try await repository.activitySnapshots(days: days))
        let cards = SummaryCards(
            steps: try await latest(.steps, repository), heartRate: try await latest(.heartRate, repository),
            sleep: try await latestSleep(repository), numbers: context.numbers)
        return [cards.markup, WeekSection(week: week, numbers: context.numbers).markup]
    }

    private func lastDay(_ repository: any HealthRepository) async throws -> CalendarDay? {
        var last: CalendarDay?
        for metric in SummaryOverview.metricsAtAGlance {
            last = [last, try await repository.latestDay(of: metric)].compactMap { $0 }.max()
        }
        return last
    }

    private func latest(_ metric: HealthMetric, _ repository: any HealthRepository) async throws -> DailyProgress? {
        guard let day = try await repository.latestDay(of: metric) else { return nil }
        return try await repository.dailyFigures(of: metric, days: DayRange(day)).first
    }

    private func latestSleep(_ repository: any HealthRepository) async throws -> SleepSession? {
        guard let day = try await repository.latestDay(of: .sleep) else { return nil }
        let overview = SleepOverview(days: DayRange(day), sessions: try await repository.sleep(days: DayRange(day)))
        return overview.nights.last?.main
    }
}
