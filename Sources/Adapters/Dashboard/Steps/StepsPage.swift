import HealthSyncDomain
import HealthSyncPorts

/// Steps: a day by its hours, or days, weeks, months and years; merged, with what each source alone would have said.
struct StepsPage: Page {
    static let address = "/view/steps"
    let name = "Steps"
    /// Where step samples are received; `nil` where none are.
    var receivedSteps: ReceivedStepsNote? = nil

    func content(_ context: PageContext) async throws -> [Markup] {
        let view = try context.period(usual: .hour)
        let latest = try await context.repository.latestDay(of: .steps, through: context.today)
        let day = try context.day(latest: latest)
        let days = view.days(through: day, recorded: context.recorded)
        let navigation = PeriodNavigation(
            path: address, view: view, day: day, days: days, recorded: context.recorded)
        guard let unit = view.unit else {
            let progress = try await context.repository.progress(of: .steps, days: days).first
            let note = progress == nil ? try await note(of: days, hasAny: latest != nil, context) : []
            return navigation.markup + note + StepsDaySection(day: day, progress: progress, context: context).markup
        }
        let progress = try await context.repository.dailyFigures(of: .steps, days: days)
        let overview = StepsOverview(days: days, progress: progress)
        let note = progress.isEmpty ? try await note(of: days, hasAny: latest != nil, context) : []
        return navigation.markup + note
            + StepsPeriodsSection(
                overview: overview, periods: overview.periods(unit), view: view, navigation: navigation,
                numbers: context.numbers
            ).markup
    }

    /// What was received of `days`; where no day has figures and none of these has samples, of all days.
    private func note(of days: DayRange, hasAny: Bool, _ context: PageContext) async throws -> [Markup] {
        guard let receivedSteps else { return [] }
        let note = try await receivedSteps.markup(of: days, context)
        return note.isEmpty && !hasAny ? try await receivedSteps.markup(of: nil, context) : note
    }
}
