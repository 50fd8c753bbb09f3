import HealthSyncDomain

/// Figures with a minimum, a maximum and a mean or last value, by hour or by period.
struct RangeSection {
    let figure: MetricFigure
    /// The figures of all rows together.
    let figures: ProgressFigures?
    let rows: [MetricRow]
    let view: PeriodView
    /// The head of a column before the minimum, which the chart shows as a line; `nil` for none.
    var firstColumn: String?
    /// The figures in large type in place of facts; `nil` for facts.
    var headline: Markup?

    var markup: Markup {
        // Some metrics have a figure of the day, but none of its hours.
        view != .hour || rows.contains { $0.figures != nil }
            ? .tag("section", [.class("card")], headline ?? facts, chart, table.behindChart, heldNote)
            : .tag("section", [.class("card")], headline ?? facts, .tag("p", [], "There are no figures by hour."))
    }

    /// Why the mean of an hour may be outside its range.
    private var heldNote: Markup {
        let isOutside = rows.contains { $0.figures?.isMeanOutsideRange == true }
        guard isOutside, view == .hour else { return .nothing }
        return .tag("p", [.class("quiet")], .text(ProgressFigures.heldNote.inSentenceCase + "."))
    }

    private var definition: MetricDefinition { figure.definition }

    private var quantityName: String {
        if definition.kind == .last { return "Last" }
        return figures?.heldMilliseconds == nil ? "Mean" : "Mean over time"
    }

    private var facts: Markup {
        var facts: [(String, Markup)] = []
        if let figures {
            if let minimum = figures.minimum { facts.append(("Lowest", figure.fact(minimum))) }
            if let maximum = figures.maximum { facts.append(("Highest", figure.fact(maximum))) }
            facts.append((quantityName, figure.fact(figures.quantity)))
        }
        return FactList.markup(facts)
    }

    private var chart: Markup {
        let columns = rows.map(column)
        let largest = rows.compactMap(\.figures).map { max($0.quantity.magnitude, $0.maximum?.magnitude ?? 0) }.max()
        let range = (dayName.map { "\($0), " } ?? "") + "lowest to highest"
        let quantity = quantityName.lowercased()
        return ColumnChart(
            description: "\(figure.caption(view)), \(hasRanges ? "\(range) with the \(quantity)" : quantity)",
            columns: columns, fromZero: false, unit: definition.resolution(ofLargest: largest ?? 0),
            mark: { figure.mark($0) }
        ).markup + legend
    }

    /// What columns range over, if that is the figures of days: the extremes of years would be those of single moments.
    private var dayName: String? {
        guard rows.contains(where: { $0.dailyFigures != nil }) else { return nil }
        return definition.kind == .last ? "days" : "means of days"
    }

    /// Whether any column has a range; a plug-in may derive only means.
    private var hasRanges: Bool { rows.contains { Self.hasRange($0) } }

    private static func hasRange(_ row: MetricRow) -> Bool {
        row.dailyFigures != nil || row.figures?.minimum != nil || row.figures?.maximum != nil
    }

    private func column(_ row: MetricRow) -> ChartColumn {
        let line = firstColumn == nil ? nil : row.first
        let resting = line.map { "\(firstColumn?.lowercased() ?? "") \(figure.text($0))" }
        guard let figures = row.figures else {
            var column = ChartColumn(
                "\(row.name): \(resting ?? "nothing recorded")", label: row.label, address: row.address)
            column.line = line
            return column
        }
        let (low, high) = (figures.minimum ?? figures.quantity, figures.maximum ?? figures.quantity)
        let range = row.dailyFigures ?? min(low, high)...max(low, high)
        let quantity = definition.kind == .last ? "last" : "mean"
        let extremes = "\(figure.number(range.lowerBound)) to \(figure.text(range.upperBound))"
        let title: [String?] = [
            Self.hasRange(row) ? (row.dailyFigures == nil ? "" : "\(dayName ?? "days") ") + extremes : nil,
            "\(quantity) \(figure.text(figures.quantity))", resting,
        ]
        var column = ChartColumn(
            "\(row.name): \(title.compactMap(\.self).joined(separator: ", "))", label: row.label, address: row.address)
        column.isPartial = row.isPartial
        column.span = Self.hasRange(row) ? range : nil
        column.point = figures.quantity
        column.line = line
        return column
    }

    private var legend: Markup {
        let line = firstColumn.flatMap { name in rows.contains { $0.first != nil } ? name : nil }
        let range = hasRanges ? [("range", (dayName.map { "\($0), " } ?? "") + "lowest to highest")] : []
        let names = range + [("mean", quantityName)]
        return .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            (names + (line.map { [("resting", $0)] } ?? [])).map { style, name in
                .tag("li", [.class(style)], .text(name.lowercased()))
            })
    }

    private var table: DataTable {
        let first: [DataTable.Column] = firstColumn.map { [.number($0)] } ?? []
        let extremes: [DataTable.Column] = hasRanges ? [.number("Lowest"), .number("Highest")] : []
        let columns = [.text("When")] + first + extremes + [.number(quantityName)]
        var table = DataTable(figure.caption(view), columns)
        for row in rows {
            let extremes = hasRanges ? [row.figures?.minimum, row.figures?.maximum] : []
            let figures = extremes + [row.figures?.quantity]
            table.add([Figure.period(row.name)] + ((firstColumn == nil ? [] : [row.first]) + figures).map(figure.cell))
        }
        return table
    }
}
