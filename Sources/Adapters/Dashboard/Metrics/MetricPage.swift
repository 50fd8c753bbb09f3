import HealthSyncDomain
import HealthSyncPorts

/// Any metric: a day by hour, or days, weeks, months and years.
struct MetricPage: Page {
    static let address = "/view/metric"
    let name = "Metric"
    let entry = "Metrics"
    /// The metrics that the program knows; the definitions of others are inferred from their records.
    let catalog: MetricCatalog

    /// Returns the address of the page that shows `metric`; `day` is the day to show.
    static func address(of metric: HealthMetric, day: CalendarDay? = nil) -> String {
        let day = day.map { [("day", "\($0)")] } ?? []
        switch metric {
        case .steps: return Choice.address(StepsPage.address, day)
        case .heartRate: return Choice.address(HeartRatePage.address, day)
        case .sleep: return Choice.address(SleepPage.address, day)
        default: return Choice.address(address, [("name", metric.rawValue)] + day)
        }
    }

    func title(_ context: PageContext) async throws -> String { try await definition(context).title }

    func content(_ context: PageContext) async throws -> [Markup] {
        let definition = try await definition(context)
        guard definition.kind != .sessions else {
            let link = Markup.tag("a", [.href(SleepPage.address)], "Show sleep")
            return [.tag("section", [.class("card")], .tag("p", [], link))]
        }
        let latest = try await context.repository.latestDay(of: definition.metric, through: context.today)
        let navigation = try PeriodNavigation(
            address, usual: .day, latest: latest, fixed: [("name", definition.metric.rawValue)], context)
        return navigation.markup + (try await MetricSections(of: definition, navigation, context).markup)
    }

    /// Returns the definition of the metric in the parameter `name`: that of its latest record, else that of the
    /// catalog.
    private func definition(_ context: PageContext) async throws -> MetricDefinition {
        let metric = HealthMetric(rawValue: context.request.parameter("name") ?? "")
        if catalog[metric]?.kind != .sessions,
            let day = try await context.repository.latestDay(of: metric, through: nil),
            let progress = try await context.repository.dailyFigures(of: metric, days: DayRange(day)).first
        {
            return catalog.definition(of: progress)
        }
        guard let known = catalog[metric] else {
            throw SyncFailure(
                .noInput, subject: "metric", reason: "no such metric", advice: "choose one from the list of metrics")
        }
        return known
    }
}
