/// A table with a bar after each row, if the terminal is wide enough.
struct ChartTable {
    private var table: TextTable
    private var values: [Double?] = [nil]
    private let nameColumn: Int
    private let leastName: Int

    /// Creates a table with these column heads. On a narrow terminal the cells of `nameColumn` are cut, to at least
    /// `leastName` columns.
    init(heads: [(String, TextTable.Alignment)], nameColumn: Int, leastName: Int) {
        table = TextTable(heads: heads)
        self.nameColumn = nameColumn
        self.leastName = leastName
    }

    /// Adds a row with a bar of `value`.
    mutating func add(_ cells: [String], value: Double?) {
        table.add(cells)
        values.append(value)
    }

    /// Returns the lines, which fit the terminal as far as the cells allow.
    func lines(_ style: OutputStyle) -> [String] {
        var table = table
        table.cut(nameColumn, toFit: style.width, least: leastName)
        guard let room = style.chartWidth(beside: table.width) else { return table.lines() }
        let chart = BarChart(of: values.compactMap { $0 }, room: room, style: style)
        return table.lines(charts: values.map { $0.map(chart.bar) ?? "" })
    }
}

/// Horizontal bars on one scale that begins at 0.
package struct BarChart: Sendable {
    private let greatest: Double
    private let room: Int
    private let style: OutputStyle

    /// Bars of `values`, at most `room` columns wide.
    package init(of values: [Double], room: Int, style: OutputStyle) {
        greatest = values.max() ?? 0
        self.room = room
        self.style = style
    }

    /// Returns the bar of `value`: its length is proportional to the greatest value, to an eighth of a column; empty
    /// for 0.
    package func bar(_ value: Double) -> String {
        guard greatest > 0, value > 0 else { return "" }
        let eighths = max(1, Int((value / greatest * Double(room * 8)).rounded()))
        guard style.hasBlocks else { return style.colored(String(repeating: "#", count: (eighths + 7) / 8), .bar) }
        let rest = eighths % 8
        return style.colored(String(repeating: "█", count: eighths / 8) + (rest > 0 ? Self.parts[rest - 1] : ""), .bar)
    }

    private static let parts = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
