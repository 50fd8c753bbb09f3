import HealthSyncDomain
import HealthSyncPorts

/// Steps: a day by hour, or days, weeks, months and years; merged, with the figure of each source alone.
struct StepsPage: Page {
    static let address = "/view/steps"
    let name = "Steps"
    let showsDay = true
    /// Finds received step samples; `nil` if the pages do not show received data.
    var receivedSteps: ReceivedStepsNote? = nil

    private static let definition = MetricDefinition(.steps, unit: "count", kind: .sum)

    func content(_ context: PageContext) async throws -> [Markup] {
        let latest = try await context.repository.latestDay(of: .steps, through: context.today)
        let navigation = try PeriodNavigation(address, usual: .hour, latest: latest, context)
        let sections = try await MetricSections(of: Self.definition, navigation, context)
        let note =
            sections.series.recorded.isEmpty
            ? try await note(of: navigation.days, hasAny: latest != nil, context) : []
        return navigation.markup + note + sections.markup
    }

    /// Returns the note for the samples received on `days`, or for those of all days if none were received on `days`
    /// and no day has steps.
    private func note(of days: DayRange, hasAny: Bool, _ context: PageContext) async throws -> [Markup] {
        guard let receivedSteps else { return [] }
        let note = try await receivedSteps.markup(of: days, context)
        return note.isEmpty && !hasAny ? try await receivedSteps.markup(of: nil, context) : note
    }
}
