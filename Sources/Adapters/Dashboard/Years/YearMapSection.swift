import HealthSyncDomain

/// The map of all years of a metric, its colors, and its monthly means as a table.
struct YearMapSection {
    let shown: MappedMetric
    let map: YearMap
    /// From the first to the last day with a quantity.
    let days: DayRange
    let numbers: NumberForm

    var markup: Markup {
        let rows = map.years.map { year in
            (
                name: Markup.tag("a", [.href(shown.address(of: year.year))], "\(year.year)"), drawing: drawing(year),
                figures: figures(year)
            )
        }
        return .tag(
            "section", [.class("card"), .id("map")], .tag("h2", [], "\(shown.title), a square for each day"),
            YearRows.markup(rows), legend, table.behindChart,
            HistorySection.note(shortMonths: map.years.reduce(0) { $0 + $1.shortMonths }))
    }

    private func drawing(_ year: YearMap.Year) -> Markup {
        let average = shown.text(year.average, numbers, isMean: true)
        return YearMapChart(
            map: map, year: year, recorded: days,
            description:
                "\(shown.title) of \(year.year), \(year.quantities.count) days, \(average)\(shown.suffix) on average"
        ).markup
    }

    private func figures(_ year: YearMap.Year) -> Markup {
        let average = Markup.tag("strong", [], shown.figure(year.average, numbers, isMean: true)) + .text(shown.suffix)
        let extreme: Markup
        switch shown {
        case .steps: extreme = "most " + shown.figure(year.highest.quantity, numbers)
        case .sleep: extreme = "longest " + shown.figure(year.highest.quantity, numbers)
        case .resting:
            extreme =
                shown.figure(year.lowest.quantity, numbers) + " to " + shown.figure(year.highest.quantity, numbers)
        }
        return average + .tag("span", [.class("below")], extreme)
    }

    private var legend: Markup {
        let count = map.bounds.count + 1
        let names =
            ["under \(map.bounds.first.map { shown.text($0, numbers) } ?? "")"]
            + map.bounds.map { "from \(shown.text($0, numbers))" }
        let levels = count == 1 ? ["all days"] : names
        return .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            levels.enumerated().map { level, name in
                .tag("li", [.class("level-\(YearMapChart.color(of: level, among: count))")], .text(name))
            } + [.tag("li", [.class("missing")], shown == .sleep ? "no sleep recorded" : "not recorded")])
    }

    private var table: DataTable {
        var table = DataTable(
            "\(shown.title), average by month",
            [.text("Year")] + (1...12).map { .number(CalendarDay.monthName($0)) } + [.number("Year")])
        for year in map.years {
            let cells = (year.months + [year.average]).map { mean in
                mean.map { shown.figure($0, numbers, isMean: true) } ?? "–"
            }
            table.add(["\(year.year)"] + cells)
        }
        return table
    }
}
