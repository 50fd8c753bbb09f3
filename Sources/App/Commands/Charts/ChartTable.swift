/// A table whose rows have a bar behind them where there is a terminal with room for it.
struct ChartTable {
    private var table: TextTable
    private var values: [Double?] = [nil]

    /// A table with these column heads.
    init(heads: [(String, TextTable.Alignment)]) { table = TextTable(heads: heads) }

    /// Adds a row with a bar of `value`.
    mutating func add(_ cells: [String], value: Double?) {
        table.add(cells)
        values.append(value)
    }

    /// The lines, no longer than the terminal is wide as far as the cells allow.
    func lines(_ style: OutputStyle) -> [String] {
        guard let room = style.chartRoom(beside: table.width) else { return table.lines() }
        let chart = BarChart(of: values.compactMap { $0 }, room: room, style: style)
        return table.lines(charts: values.map { $0.map(chart.bar) ?? "" })
    }
}
