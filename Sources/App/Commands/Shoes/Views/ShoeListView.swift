/// All shoes, one a row.
struct ShoeListView {
    let shoes: [ShoeView]

    /// The rows below their heads. On a terminal that is too narrow names are cut, and what `shoes show` says too is left
    /// out.
    func lines(_ style: OutputStyle) -> [String] {
        let all = ShoeView.heads
        for count in 0..<Self.leftOut.count {
            let columns = all.indices.filter { !Self.leftOut.prefix(count).contains(all[$0].0) }
            let table = table(of: columns, style, leastName: 24)
            if table.width <= style.width ?? .max { return table.lines() }
        }
        let columns = all.indices.filter { !Self.leftOut.contains(all[$0].0) }
        return table(of: columns, style, leastName: 8).lines()
    }

    private func table(of columns: [Int], _ style: OutputStyle, leastName: Int) -> TextTable {
        var table = TextTable(heads: columns.map { ShoeView.heads[$0] })
        for shoe in shoes { table.add(columns.map { shoe.cells[$0] }) }
        let name = columns.firstIndex { ShoeView.heads[$0].0 == "shoe" } ?? 0
        table.cut(name, toFit: style.width, least: leastName)
        return table
    }

    /// Heads of columns, the first that goes first.
    private static let leftOut = ["since", "per km", "worn", "id"]
}
