import HealthSyncDomain

/// The distance with a pair of shoes by month, or its steps if no distance was measured.
struct ShoeMonthsSection {
    let months: [CalendarPeriod: WalkFigures]
    /// The class of the color of the shoe.
    let style: String
    let context: PageContext

    // The latest five years; more columns are too narrow.
    private static let mostMonths = 60

    var markup: [Markup] {
        guard let last = months.keys.max(), let first = months.keys.min(), last > first else { return [] }
        var shown: [CalendarPeriod] = [last]
        while let month = shown.last, month > first, shown.count < Self.mostMonths {
            shown.append(CalendarPeriod(.month, holding: month.days.first.advanced(by: -1)))
        }
        shown.reverse()
        let hasDistance = months.values.contains { $0.kilometres != nil }
        let columns = shown.map { month in
            let figures = months[month] ?? WalkFigures()
            let value = (hasDistance ? figures.kilometres : figures.steps) ?? 0
            let text =
                hasDistance
                ? context.numbers.rounded(value, places: 2) + " km" : context.numbers.whole(value) + " steps"
            var column = ChartColumn(
                "\(ColumnLabels.fullName(month)): \(text)", label: ColumnLabels.period(month))
            column.parts = [(value, "stage \(style)")]
            return column
        }
        var table = DataTable("Figures by month", [.text("Month"), .number("Steps"), .number("Distance")])
        for month in shown.reversed() {
            let figures = months[month] ?? WalkFigures()
            table.add([Figure.period(ColumnLabels.fullName(month))] + WalkCells.cells(figures, context.numbers))
        }
        let chart = ColumnChart(
            description: hasDistance ? "Kilometres by month" : "Steps by month", columns: columns, unit: 1,
            mark: { context.numbers.whole($0) })
        return [
            .tag(
                "section", [.class("card"), .id("months")],
                .tag("h2", [], hasDistance ? "Kilometres by month" : "Steps by month"),
                chart.markup, table.behindChart)
        ]
    }
}
