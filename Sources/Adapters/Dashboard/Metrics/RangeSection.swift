import HealthSyncDomain

/// Figures with a minimum, a maximum and a mean or last value, by hour or by period.
struct RangeSection {
    let figure: MetricFigure
    /// The figures of all rows together.
    let figures: ProgressFigures?
    let rows: [MetricRow]
    let view: PeriodView
    /// Facts before the minimum.
    var firstFacts: [(String, Markup)] = []
    /// The head of a column before the minimum; `nil` for none.
    var firstColumn: String?

    var markup: Markup { .tag("section", [.class("card")], facts, chart, table.behindChart) }

    private var definition: MetricDefinition { figure.definition }

    private var quantityName: String {
        if definition.kind == .last { return "Last" }
        return figures?.heldMilliseconds == nil ? "Mean" : "Mean over time"
    }

    private var facts: Markup {
        var facts = firstFacts
        if let figures {
            if let minimum = figures.minimum { facts.append(("Lowest", figure.fact(minimum))) }
            if let maximum = figures.maximum { facts.append(("Highest", figure.fact(maximum))) }
            facts.append((quantityName, figure.fact(figures.quantity)))
        }
        return FactList.markup(facts)
    }

    private var chart: Markup {
        let columns = rows.enumerated().map { index, row in
            let label = ColumnLabels.isLabelled(index, of: rows.count) ? row.label : ""
            guard let figures = row.figures else { return ChartColumn("\(row.name): nothing recorded", label: label) }
            let (low, high) = (figures.minimum ?? figures.quantity, figures.maximum ?? figures.quantity)
            let quantity = definition.kind == .last ? "last" : "mean"
            var column = ChartColumn(
                "\(row.name): \(figure.number(low)) to \(figure.text(high)), "
                    + "\(quantity) \(figure.text(figures.quantity))", label: label, address: row.address)
            column.span = min(low, high)...max(low, high)
            column.point = figures.quantity
            return column
        }
        let largest = rows.compactMap(\.figures).map { max($0.quantity.magnitude, $0.maximum?.magnitude ?? 0) }.max()
        return ColumnChart(
            description: "\(figure.caption(view)), lowest to highest with the \(quantityName.lowercased())",
            columns: columns, fromZero: false, unit: definition.resolution(ofLargest: largest ?? 0),
            mark: { figure.number($0) }
        ).markup
    }

    private var table: DataTable {
        let first: [DataTable.Column] = firstColumn.map { [.number($0)] } ?? []
        let columns = [.text("When")] + first + [.number("Lowest"), .number("Highest"), .number(quantityName)]
        var table = DataTable(figure.caption(view), columns)
        for row in rows {
            let figures = [row.figures?.minimum, row.figures?.maximum, row.figures?.quantity]
            table.add([.text(row.name)] + ((firstColumn == nil ? [] : [row.first]) + figures).map(figure.cell))
        }
        return table
    }
}
