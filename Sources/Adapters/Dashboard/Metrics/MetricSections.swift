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
    private let habits: HabitsSection?
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

/// The weekday and the hour with the largest mean of a metric that adds up, of the last year. Reading the hours of all years
/// would take longer than the rest of the page.
private struct HabitsSection {
    private let habits: MetricHabits
    private let days: DayRange
    private let figure: MetricFigure
    private let form: ClockForm

    private static let length = 365

    /// Reads the figures up to `last`; `nil` for a metric that does not add up, and without days.
    init?(of definition: MetricDefinition, through last: CalendarDay?, _ context: PageContext) async throws {
        guard definition.kind == .sum, let last else { return nil }
        days = DayRange(last).widened(before: Self.length - 1, after: 0)
        let progress = try await context.repository.figures(of: definition.metric, days: days, withHours: true)
        habits = MetricHabits(of: progress, clock: context.clock)
        figure = MetricFigure(definition: definition, numbers: context.numbers)
        form = context.clockForm
    }

    /// The section; nothing if all days are of one weekday, because the hours of one day are no habit.
    var markup: [Markup] {
        guard habits.weekday != nil else { return [] }
        return [
            .tag(
                "section", [.class("card"), .id("habits")],
                .tag("h2", [], "\(figure.definition.title), weekday and hour with the most"), FactList.markup(facts),
                .tag(
                    "p", [.class("quiet")], "Average a day, from ", Figure.day(days.first), " to ",
                    Figure.day(days.last), "."))
        ]
    }

    private var facts: [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = []
        if let weekday = habits.weekday { facts.append((weekday.name, figure.fact(weekday.average))) }
        if let hour = habits.hour {
            let ends = [hour.hour, (hour.hour + 1) % 24].map { form.text("\(CalendarDay.padded($0, 2)):00") }
            facts.append(("\(ends[0]) to \(ends[1])", figure.fact(hour.average)))
        }
        return facts
    }
}

/// A metric that adds up on one day, by hour and by source.
private struct SumDaySection {
    let day: CalendarDay
    let progress: DailyProgress
    let figure: MetricFigure
    let context: PageContext

    var markup: [Markup] {
        let total = progress.figures.quantity
        let rows = MetricRow.hours(of: day, measured: progress.hours, kind: .sum, context)
        let content: [Markup] = [
            .tag(
                "p", [.class("figure"), .id("total")], Figure.number(total, figure.number(total)),
                .tag("small", [], .text(" " + figure.definition.figureName))),
            .tag("p", [.class("quiet")], "Merged over all devices, so that nothing is counted twice."),
            chart(rows), table(rows).behindChart,
        ]
        return [.tag("section", [.class("card")], content)]
            + (progress.origins.isEmpty ? [] : [OriginsSection(progress: progress, figure: figure).markup])
    }

    private func chart(_ rows: [MetricRow]) -> Markup {
        let columns = rows.map { row in
            guard let quantity = row.figures?.quantity else {
                return ChartColumn("\(row.name): nothing recorded", label: row.label)
            }
            var column = ChartColumn("\(row.name): \(figure.text(quantity))", label: row.label)
            column.parts = [(quantity, "bar")]
            return column
        }
        let largest = rows.compactMap { $0.figures?.quantity.magnitude }.max() ?? 0
        return ColumnChart(
            description: "\(figure.definition.title) on \(day.dateInWords) by hour, \(rows.count) hours",
            columns: columns,
            unit: figure.definition.resolution(ofLargest: largest), mark: { figure.mark($0) }
        ).markup
    }

    private func table(_ rows: [MetricRow]) -> DataTable {
        var table = DataTable(figure.caption(.hour), [.text("Hour"), .number(figure.heading)])
        let slots = HourSlot.slots(of: day, measured: progress.hours, clock: context.clock, kind: .sum)
        for (slot, row) in zip(slots, rows) {
            table.add([
                context.wallClock.time(slot.interval.start, text: row.name), figure.cell(row.figures?.quantity),
            ])
        }
        return table
    }
}

/// The figure of each source alone next to the figure of the day.
private struct OriginsSection {
    let progress: DailyProgress
    let figure: MetricFigure

    var markup: Markup {
        var table = DataTable(
            "Each source alone next to the merged figure", [.text("Source"), .number(figure.heading)])
        for origin in progress.origins {
            table.add([
                .tag("span", [.class("name")], .text(UUIDText.folded(origin.sourceName))), figure.cell(origin.quantity),
            ])
        }
        table.add(["merged", figure.cell(progress.figures.quantity)])
        return .tag("section", [.class("card")], .tag("h2", [], "Sources"), table.markup)
    }
}

/// A metric that adds up, by days, weeks, months or years.
private struct SumPeriodsSection {
    let series: MetricSeries
    let periods: [MetricPeriod]
    let view: PeriodView
    let navigation: PeriodNavigation
    let figure: MetricFigure

    /// The number of sources with a column of their own; a table with more does not fit a page.
    private static let namedSources = 6

    var markup: Markup {
        let heading: Markup =
            view == .day ? .nothing : .tag("h2", [], "Average a day, \(view.name.lowercased())\(lacking)")
        return .tag("section", [.class("card")], facts, heading, chart, table.behindChart)
    }

    /// What averages leave out.
    private var lacking: String { series.averagesLackToday ? ", without today" : "" }

    private var facts: Markup {
        let days = Double(series.recorded.count)
        var facts: [(String, Markup)] = [
            ("Total", figure.fact(series.figures?.quantity ?? 0)),
            ("Days with records", Figure.number(days, figure.numbers.whole(days))),
        ]
        if let average = series.averagePerDay { facts.append(("Average per day" + lacking, figure.fact(average))) }
        if let highest = series.highest {
            facts.append(
                ("Highest day", figure.fact(highest.figures.quantity) + " on " + Figure.day(highest.day)))
        }
        return FactList.markup(facts)
    }

    /// Columns of weeks, months and years are averages a day, so that short and incomplete ones are comparable.
    private var chart: Markup {
        let isDay = view == .day
        let columns = periods.map { period in
            let row = MetricRow(period.period, figures: period.figures, navigation)
            guard let total = period.figures?.quantity, let average = period.averagePerDay else {
                let isToday = period.figures != nil
                return ChartColumn(
                    "\(row.name): \(isToday ? "only today" : "nothing recorded")", label: row.label)
            }
            let title =
                isDay
                ? figure.text(total)
                : "\(figure.text(average)) a day, \(CountText.of(period.averagedDays, "day"))"
            var column = ChartColumn("\(row.name): \(title)", label: row.label, address: row.address)
            column.isPartial = period.period.isPartial(within: navigation.complete)
            column.parts = [(average, "bar")]
            return column
        }
        let largest = periods.compactMap { $0.averagePerDay?.magnitude }.max() ?? 0
        return ColumnChart(
            description: isDay ? figure.caption(view) : "\(figure.caption(view)), average a day\(lacking)",
            columns: columns,
            unit: figure.definition.resolution(ofLargest: largest), mark: { figure.mark($0) }
        ).markup
    }

    private var table: DataTable {
        let sources = Array(series.sourceNames.prefix(Self.namedSources))
        // The average of a day is the figure of the day.
        let hasAverages = view != .day
        let averages: [DataTable.Column] = hasAverages ? [.number("Average per day")] : []
        var table = DataTable(
            figure.caption(view) + (lacking.isEmpty || !hasAverages ? "" : " (averages without today)"),
            [.text("When"), .number("Merged")] + averages + sources.map { .number($0) })
        for period in periods {
            let alone = Dictionary(period.origins.map { ($0.sourceName, $0.quantity) }) { first, _ in first }
            let averages = hasAverages ? [period.averagePerDay] : []
            let figures = [period.figures?.quantity] + averages + sources.map { alone[$0] }
            table.add([Figure.period(ColumnLabels.fullName(period.period))] + figures.map(figure.cell))
        }
        return table
    }
}
