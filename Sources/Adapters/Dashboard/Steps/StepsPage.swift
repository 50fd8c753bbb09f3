import HealthSyncDomain
import HealthSyncPorts

/// Steps: a day by its hours, or days, weeks, months and years; merged, with what each source alone would have said.
struct StepsPage: Page {
    static let address = "/view/steps"
    let name = "Steps"

    func content(_ context: PageContext) async throws -> [Markup] {
        let view = try context.period(usual: .hour)
        let latest = try await context.repository.latestDay(of: .steps, through: context.today)
        let day = try context.day(latest: latest)
        let days = view.days(through: day, recorded: context.recorded)
        let navigation = PeriodNavigation(
            path: address, view: view, day: day, days: days, recorded: context.recorded)
        guard let unit = view.unit else {
            let progress = try await context.repository.progress(of: .steps, days: days).first
            return navigation.markup + StepsDaySection(day: day, progress: progress, context: context).markup
        }
        let progress = try await context.repository.dailyFigures(of: .steps, days: days)
        let overview = StepsOverview(days: days, progress: progress)
        return navigation.markup
            + StepsPeriodsSection(
                overview: overview, periods: overview.periods(unit), view: view, navigation: navigation,
                numbers: context.numbers
            ).markup
    }
}
