import HealthSyncDomain

/// Steps by days, weeks, months or years.
struct StepsPeriodsSection {
    let overview: StepsOverview
    let periods: [StepsPeriod]
    let view: PeriodView
    let navigation: PeriodNavigation
    let numbers: NumberForm

    /// Sources that have a column of their own; the table would not fit a page with more.
    private static let namedSources = 6

    var markup: [Markup] {
        guard !overview.recorded.isEmpty else {
            return [.tag("section", [.class("card")], .tag("p", [], "No steps were recorded in this time."))]
        }
        return [
            .tag("section", [.class("card")], facts, chart, table.behindChart)
        ]
    }

    private var facts: Markup {
        var facts: [(String, Markup)] = [
            ("Steps in all", Figure.number(overview.total, numbers.whole(overview.total))),
            (
                "Days with steps",
                Figure.number(Double(overview.recorded.count), numbers.whole(Double(overview.recorded.count)))
            ),
        ]
        if let average = overview.averagePerDay {
            facts.append(("A day on average", Figure.number(average, numbers.whole(average))))
        }
        if let best = overview.best {
            let quantity = best.figures.quantity
            facts.append(
                ("Most on a day", Figure.number(quantity, numbers.whole(quantity)) + " on " + Figure.day(best.day)))
        }
        return FactList.markup(facts)
    }

    private var chart: Markup {
        let columns = periods.enumerated().map { index, period in
            let name = ColumnLabels.fullName(period.period)
            let label =
                ColumnLabels.isLabelled(index, of: periods.count) ? ColumnLabels.period(period.period) : ""
            guard let total = period.total else { return ChartColumn("\(name): nothing recorded", label: label) }
            let last = min(period.days.last, navigation.recorded?.last ?? period.days.last)
            var column = ChartColumn(
                "\(name): \(numbers.whole(total)) steps", label: label,
                address: navigation.address(view.closer, last))
            column.parts = [(total, "bar")]
            return column
        }
        return ColumnChart(
            description: "Steps \(view.name.lowercased())", columns: columns, unit: 1,
            mark: { numbers.whole($0) }
        ).markup
    }

    private var table: DataTable {
        let sources = Array(overview.sourceNames.prefix(Self.namedSources))
        var table = DataTable(
            "Steps \(view.name.lowercased())",
            [.text("When"), .number("Merged"), .number("A day on average")] + sources.map { .number($0) })
        for period in periods {
            let alone = Dictionary(period.origins.map { ($0.sourceName, $0.quantity) }) { first, _ in first }
            table.add(
                [.text(ColumnLabels.fullName(period.period)), cell(period.total), cell(period.averagePerDay)]
                    + sources.map { cell(alone[$0]) })
        }
        return table
    }

    private func cell(_ number: Double?) -> Markup { number.map { Figure.number($0, numbers.whole($0)) } ?? "–" }
}
