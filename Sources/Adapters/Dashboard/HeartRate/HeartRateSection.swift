import HealthSyncDomain

/// Heart rate over a stretch of time.
struct HeartRateSection {
    /// An hour or a period.
    struct Row {
        let name: String
        let label: String
        let figures: ProgressFigures?
        let resting: Double?
        let address: String?
    }

    let overview: HeartOverview
    let rows: [Row]
    let view: PeriodView
    let numbers: NumberForm

    var markup: Markup {
        guard overview.figures != nil || overview.averageResting != nil else {
            return .tag("section", [.class("card")], .tag("p", [], "No heart rate was recorded in this time."))
        }
        return .tag("section", [.class("card")], facts, chart, table.behindChart)
    }

    private var facts: Markup {
        var facts: [(String, Markup)] = []
        if let resting = overview.averageResting {
            facts.append((overview.days.count == 1 ? "At rest" : "At rest on average", rate(resting)))
        }
        if let figures = overview.figures {
            if let minimum = figures.minimum { facts.append(("Lowest", rate(minimum))) }
            if let maximum = figures.maximum { facts.append(("Highest", rate(maximum))) }
            facts.append(("Mean over time", rate(figures.quantity)))
        }
        return FactList.markup(facts)
    }

    private var chart: Markup {
        let columns = rows.enumerated().map { index, row in
            let label = ColumnLabels.isLabelled(index, of: rows.count) ? row.label : ""
            guard let figures = row.figures else { return ChartColumn("\(row.name): nothing recorded", label: label) }
            let (low, high) = (figures.minimum ?? figures.quantity, figures.maximum ?? figures.quantity)
            var column = ChartColumn(
                "\(row.name): \(text(low)) to \(text(high)), mean \(text(figures.quantity)) a minute", label: label,
                address: row.address)
            column.span = min(low, high)...max(low, high)
            column.point = figures.quantity
            return column
        }
        return ColumnChart(
            description: "Heart rate \(view.name.lowercased()), lowest to highest with the mean", columns: columns,
            fromZero: false, unit: 1, mark: { numbers.rounded($0) }
        ).markup
    }

    private var table: DataTable {
        let resting: [DataTable.Column] = view == .hour ? [] : [.number("At rest")]
        let columns = [.text("When")] + resting + [.number("Lowest"), .number("Highest"), .number("Mean")]
        var table = DataTable("Heart rate \(view.name.lowercased()), per minute", columns)
        for row in rows {
            let figures = [row.figures?.minimum, row.figures?.maximum, row.figures?.quantity]
            table.add([.text(row.name)] + ((view == .hour ? [] : [row.resting]) + figures).map(cell))
        }
        return table
    }

    private func text(_ value: Double) -> String { numbers.rounded(value) }
    private func cell(_ value: Double?) -> Markup { value.map { Figure.number($0, text($0)) } ?? "–" }
    private func rate(_ value: Double) -> Markup {
        Figure.number(value, text(value)) + .tag("small", [.class("quiet")], " /min")
    }
}
