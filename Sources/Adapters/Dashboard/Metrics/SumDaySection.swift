import HealthSyncDomain

/// A metric that adds up on one day, by hour and by source.
struct SumDaySection {
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
