import HealthSyncDomain
import HealthSyncPorts

/// Heart rate: a day by hour, or days, weeks, months and years; lowest, highest and mean, and the resting heart rate.
struct HeartRatePage: Page {
    static let address = "/view/heart"
    let name = "Heart rate"

    private static let definition = MetricDefinition(.heartRate, unit: "count/min", kind: .mean)

    func content(_ context: PageContext) async throws -> [Markup] {
        let repository = context.repository
        let latest = try await repository.latestDay(of: .heartRate, through: context.today)
        let navigation = try PeriodNavigation(address, usual: .day, latest: latest, context)
        let days = navigation.days
        let resting = try await repository.dailyFigures(of: .restingHeartRate, days: days)
        let rates = try await repository.figures(of: .heartRate, days: days, withHours: navigation.view == .hour)
        let overview = HeartOverview(days: days, progress: rates + resting)
        return navigation.markup + [section(overview, navigation, context)]
    }

    private func section(
        _ overview: HeartOverview, _ navigation: PeriodNavigation, _ context: PageContext
    ) -> Markup {
        guard !overview.recorded.isEmpty else { return MetricSections.nothing(Self.definition, on: overview.days) }
        let view = navigation.view
        let rows =
            view.unit.map { unit in
                overview.periods(unit).map {
                    MetricRow($0.period, figures: $0.figures, first: $0.averageResting, navigation)
                }
            }
            ?? MetricRow.hours(
                of: navigation.day, measured: overview.recorded.first?.hours ?? [], kind: .mean, context)
        let figure = MetricFigure(definition: Self.definition, numbers: context.numbers)
        let name = overview.days.count == 1 ? "Resting" : "Resting, average"
        return RangeSection(
            figure: figure, figures: overview.figures, rows: rows, view: view,
            firstFacts: overview.averageResting.map { [(name, figure.fact($0))] } ?? [],
            firstColumn: view == .hour ? nil : "Resting"
        ).markup
    }
}
