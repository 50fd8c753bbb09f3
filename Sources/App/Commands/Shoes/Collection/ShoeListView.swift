/// A table of all shoes, one per row.
struct ShoeListView {
    let shoes: [ShoeView]

    /// Returns the table. On narrow terminals, truncates names and omits columns that `shoes show` contains.
    func lines(_ style: OutputStyle) -> [String] {
        let all = ShoeView.heads
        for count in 0..<Self.optional.count {
            let columns = all.indices.filter { !Self.optional.prefix(count).contains(all[$0].0) }
            let table = table(of: columns, style, leastName: 24)
            if table.width <= style.width ?? .max { return table.lines() }
        }
        let columns = all.indices.filter { !Self.optional.contains(all[$0].0) }
        return table(of: columns, style, leastName: 8).lines()
    }

    private func table(of columns: [Int], _ style: OutputStyle, leastName: Int) -> TextTable {
        var table = TextTable(heads: columns.map { ShoeView.heads[$0] })
        for shoe in shoes { table.add(columns.map { shoe.cells[$0] }) }
        let name = columns.firstIndex { ShoeView.heads[$0].0 == "shoe" } ?? 0
        table.cut(name, toFit: style.width, least: leastName)
        return table
    }

    /// Heads of optional columns, in the order in which they are omitted.
    private static let optional = ["since", "per km", "worn", "id"]
}
