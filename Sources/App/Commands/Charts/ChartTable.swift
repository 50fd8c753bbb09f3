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
