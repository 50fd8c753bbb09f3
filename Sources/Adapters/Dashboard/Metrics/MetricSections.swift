import HealthSyncDomain
import HealthSyncPorts

/// The sections of one metric: by hour its day, otherwise its periods.
struct MetricSections {
    let series: MetricSeries
    let view: PeriodView
    let day: CalendarDay
    let navigation: PeriodNavigation
    let context: PageContext
    /// The weekday and the hour with the most, of the last year.
    let habits: HabitsSection?
    /// All recorded days.
    let history: HistorySection?

    /// Reads the figures of `definition` on the days of `navigation`.
    init(of definition: MetricDefinition, _ navigation: PeriodNavigation, _ context: PageContext) async throws {
        view = navigation.view
        day = navigation.day
        self.navigation = navigation
        self.context = context
        let progress = try await context.repository.figures(
            of: definition.metric, days: navigation.days, withHours: navigation.view == .hour)
        series = MetricSeries(of: definition, days: navigation.days, progress: progress, today: context.today)
        let quantities = try await context.allQuantities(of: definition.metric, isSum: definition.kind == .sum)
        habits = try await HabitsSection(of: definition, through: quantities.last?.day, context)
        var history = HistorySection(of: definition, quantities: quantities, context.numbers)
        let latest = try await context.repository.latestDay(of: definition.metric, through: context.today)
        history?.lacksToday = latest == context.today && quantities.last?.day != context.today
        self.history = history
    }

    var markup: [Markup] { shown + (habits?.markup ?? []) + (history?.markup ?? []) }

    private var shown: [Markup] {
        let definition = series.definition
        let figure = MetricFigure(definition: definition, numbers: context.numbers)
        guard let latest = series.recorded.last else { return [Self.nothing(definition, on: series.days)] }
        guard let unit = view.unit else {
            if definition.kind == .sum {
                return SumDaySection(day: day, progress: latest, figure: figure, context: context).markup
            }
            let rows = MetricRow.hours(of: day, measured: latest.hours, kind: definition.kind, context)
            let sources =
                latest.origins.count > 1 ? [OriginsSection(progress: latest, figure: figure).markup] : []
            return [RangeSection(figure: figure, figures: series.figures, rows: rows, view: view).markup] + sources
        }
        let periods = series.periods(unit)
        guard definition.kind != .sum else {
            let section = SumPeriodsSection(
                series: series, periods: periods, view: view, navigation: navigation, figure: figure)
            return [section.markup]
        }
        let rows = periods.map {
            MetricRow($0.period, figures: $0.figures, dailyFigures: $0.dailyQuantities, navigation)
        }
        return [RangeSection(figure: figure, figures: series.figures, rows: rows, view: view).markup]
    }

    /// Returns a section that reports that nothing is recorded on `days`.
    static func nothing(_ definition: MetricDefinition, on days: DayRange) -> Markup {
        let place =
            days.count == 1
            ? "on \(days.first.dateInWords)" : "from \(days.first.dateInWords) to \(days.last.dateInWords)"
        return .tag("section", [.class("card")], .tag("p", [], "No records of \(definition.label) \(place)."))
    }
}
