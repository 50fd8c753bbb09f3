import HealthSyncDomain

/// A metric that adds up, by days, weeks, months or years.
struct SumPeriodsSection {
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
