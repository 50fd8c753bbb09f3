import HealthSyncDomain

/// Rows with a minimum, a maximum and a mean or last value, with bars on a terminal that is wide enough.
struct RangeTable {
    /// An hour, a period or a source.
    struct Row {
        let label: String
        let figures: ProgressFigures?
        /// The value of the column before the minimum.
        var first: Double?
    }

    let text: FigureText
    /// The head of the column of labels.
    let head: String
    /// The head of a column before the minimum; `nil` for none.
    var firstName: String?

    /// Returns the table of `rows`.
    func lines(_ rows: [Row], _ style: OutputStyle) -> [String] {
        var table = TextTable(
            heads: [(head, .left)] + (firstName.map { [($0, .right)] } ?? [])
                + [("min", .right), ("max", .right), (text.definition.quantityName, .right)])
        for row in rows {
            let figures = [row.figures?.minimum, row.figures?.maximum, row.figures?.quantity]
            table.add([row.label] + ((firstName == nil ? [] : [row.first]) + figures).map(text.number))
        }
        table.cut(0, toFit: style.width, least: 14)
        guard let room = style.chartWidth(beside: table.width),
            let low = rows.compactMap(\.figures?.minimum).min(), let high = rows.compactMap(\.figures?.maximum).max()
        else { return table.lines() }
        let chart = RangeBar(from: low, to: high, room: room, style: style)
        return table.lines(
            charts: [""]
                + rows.map { row in
                    guard let figures = row.figures, let minimum = figures.minimum, let maximum = figures.maximum else {
                        return ""
                    }
                    return chart.bar(minimum: minimum, mean: figures.quantity, maximum: maximum)
                })
    }

    /// Adds the range and the combined figure after the `first` rows: the mean depends on how long a device was worn.
    static func headline(
        _ figures: ProgressFigures?, _ text: FigureText, first: [(name: String, text: String)] = []
    ) -> [String] {
        var table = TextTable([.left, .left])
        for row in first { table.add(row.name, row.text) }
        if let figures {
            if let range = text.range(figures) { table.add("range", range) }
            table.add(text.definition.quantityName, text.quantity(figures.quantity))
        }
        return table.lines()
    }
}

/// Bars from a minimum to a maximum with a mark at the mean, on one scale.
package struct RangeBar: Sendable {
    private let low: Double
    private let high: Double
    private let room: Int
    private let style: OutputStyle

    /// Bars within `low` to `high`, `room` columns wide.
    package init(from low: Double, to high: Double, room: Int, style: OutputStyle) {
        self.low = low
        self.high = high
        self.room = room
        self.style = style
    }

    /// Returns the bar from `minimum` to `maximum` with its mark at `mean`.
    package func bar(minimum: Double, mean: Double, maximum: Double) -> String {
        let (first, middle, last) = (column(minimum), column(mean), column(maximum))
        let line: [Character] = (first...max(first, last)).map { column in
            column == middle ? (style.hasBlocks ? "●" : "o") : (style.hasBlocks ? "─" : "-")
        }
        return String(repeating: " ", count: first) + style.colored(String(line), .range)
    }

    private func column(_ value: Double) -> Int {
        guard high > low else { return 0 }
        let share = min(1, max(0, (value - low) / (high - low)))
        return min(room - 1, Int(share * Double(room)))
    }
}
