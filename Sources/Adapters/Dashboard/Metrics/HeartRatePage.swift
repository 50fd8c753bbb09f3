import HealthSyncDomain
import HealthSyncPorts

/// Heart rate: a day by hour, or days, weeks, months and years; lowest, highest and mean, and the resting heart rate.
struct HeartRatePage: Page {
    static let address = "/view/heart"
    let name = "Heart rate"
    let showsDay = true

    private static let definition = MetricDefinition(.heartRate, unit: "count/min", kind: .mean)
    private static let resting = MetricDefinition(
        .restingHeartRate, title: "Resting heart rate", unit: "count/min", kind: .mean)

    func content(_ context: PageContext) async throws -> [Markup] {
        let repository = context.repository
        let latest = try await repository.latestDay(of: .heartRate, through: context.today)
        let navigation = try PeriodNavigation(address, usual: .day, latest: latest, context)
        let days = navigation.days
        let resting = try await repository.dailyFigures(of: .restingHeartRate, days: days)
        let rates = try await repository.figures(of: .heartRate, days: days, withHours: navigation.view == .hour)
        let overview = HeartOverview(days: days, progress: rates + resting)
        let history = try await allDays(context)
        return navigation.markup + [section(overview, navigation, context)] + (history?.markup ?? [])
    }

    /// Returns all days of the resting heart rate, or of the heart rate if no device reports the former.
    private func allDays(_ context: PageContext) async throws -> HistorySection? {
        let resting = try await context.allQuantities(of: .restingHeartRate)
        guard resting.isEmpty else {
            return HistorySection(of: Self.resting, quantities: resting, context.numbers)
        }
        return HistorySection(
            of: Self.definition, quantities: try await context.allQuantities(of: .heartRate), context.numbers)
    }

    private func section(
        _ overview: HeartOverview, _ navigation: PeriodNavigation, _ context: PageContext
    ) -> Markup {
        guard !overview.recorded.isEmpty else { return MetricSections.nothing(Self.definition, on: overview.days) }
        let view = navigation.view
        let rows =
            view.unit.map { unit in
                overview.periods(unit).map {
                    MetricRow(
                        $0.period, figures: $0.figures, dailyFigures: $0.dailyMeans, first: $0.averageResting,
                        navigation)
                }
            }
            ?? MetricRow.hours(
                of: navigation.day, measured: overview.recorded.first?.hours ?? [], kind: .mean, context)
        let figure = MetricFigure(definition: Self.definition, numbers: context.numbers)
        return RangeSection(
            figure: figure, figures: overview.figures, rows: rows, view: view,
            firstColumn: view == .hour ? nil : "Resting", headline: headline(overview, figure)
        ).markup
    }

    /// Returns the resting rate in large type, and the range and the mean of all measurements.
    private func headline(_ overview: HeartOverview, _ figure: MetricFigure) -> Markup {
        let measured: [Markup] =
            overview.figures.map { figures in
                let range: Markup = figure.range(figures).map { $0 + ", " } ?? .nothing
                let mean: Markup = figures.heldMilliseconds == nil ? "mean " : "mean over time "
                return [.tag("p", [], range + mean + figure.fact(figures.quantity))]
            } ?? []
        let resting: [Markup] =
            overview.averageResting.map { rate in
                let words = overview.days.count == 1 ? " /min at rest" : " /min at rest, on average"
                return [.tag("p", [.class("figure")], figure.cell(rate) + .tag("small", [], .text(words)))]
            } ?? []
        return .tag("div", [.id("headline")], resting + measured)
    }
}
