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

    var markup: Markup { .tag("section", [.class("card")], facts, chart, table.behindChart) }

    private var facts: Markup {
        let days = Double(series.recorded.count)
        var facts: [(String, Markup)] = [
            ("Total", figure.fact(series.figures?.quantity ?? 0)),
            ("Days with records", Figure.number(days, figure.numbers.whole(days))),
        ]
        if let average = series.averagePerDay { facts.append(("Average per day", figure.fact(average))) }
        if let highest = series.highest {
            facts.append(
                ("Highest day", figure.fact(highest.figures.quantity) + " on " + Figure.day(highest.day)))
        }
        return FactList.markup(facts)
    }

    private var chart: Markup {
        let columns = periods.enumerated().map { index, period in
            let row = MetricRow(period.period, figures: period.figures, navigation)
            let label = ColumnLabels.isLabelled(index, of: periods.count) ? row.label : ""
            guard let total = period.figures?.quantity else {
                return ChartColumn("\(row.name): nothing recorded", label: label)
            }
            var column = ChartColumn("\(row.name): \(figure.text(total))", label: label, address: row.address)
            column.parts = [(total, "bar")]
            return column
        }
        let largest = periods.compactMap { $0.figures?.quantity.magnitude }.max() ?? 0
        return ColumnChart(
            description: figure.caption(view), columns: columns,
            unit: figure.definition.resolution(ofLargest: largest), mark: { figure.number($0) }
        ).markup
    }

    private var table: DataTable {
        let sources = Array(series.sourceNames.prefix(Self.namedSources))
        var table = DataTable(
            figure.caption(view),
            [.text("When"), .number("Merged"), .number("Average per day")] + sources.map { .number($0) })
        for period in periods {
            let alone = Dictionary(period.origins.map { ($0.sourceName, $0.quantity) }) { first, _ in first }
            let figures = [period.figures?.quantity, period.averagePerDay] + sources.map { alone[$0] }
            table.add([.text(ColumnLabels.fullName(period.period))] + figures.map(figure.cell))
        }
        return table
    }
}
