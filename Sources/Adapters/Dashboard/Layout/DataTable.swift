/// A table of figures, also as the text alternative of a chart.
struct DataTable {
    /// The name and alignment of a column.
    enum Column {
        case text(String)
        case number(String)

        fileprivate var name: String {
            switch self {
            case .text(let name), .number(let name): name
            }
        }

        fileprivate var attributes: [Markup.Attribute] {
            if case .number = self { [.class("number")] } else { [] }
        }
    }

    let caption: String
    let columns: [Column]
    private var rows: [[Markup]] = []

    init(_ caption: String, _ columns: [Column]) {
        self.caption = caption
        self.columns = columns
    }

    /// Adds a row; its first cell names it.
    mutating func add(_ cells: [Markup]) { rows.append(cells) }

    var isEmpty: Bool { rows.isEmpty }

    /// The table.
    var markup: Markup {
        let heads = columns.map { Markup.tag("th", [.init("scope", "col")] + $0.attributes, .text($0.name)) }
        let body = rows.map { cells in
            Markup.tag(
                "tr", [],
                zip(columns, cells).enumerated().map { index, cell in
                    index == 0
                        ? .tag("th", [.init("scope", "row")], cell.1) : .tag("td", cell.0.attributes, cell.1)
                })
        }
        return .tag(
            "div", [.class("scroll"), .init("tabindex", "0"), .init("role", "region"), .init("aria-label", caption)],
            .tag(
                "table", [], .tag("caption", [], .text(caption)), .tag("thead", [], .tag("tr", [], heads)),
                .tag("tbody", [], body)))
    }

    /// The table below a chart, collapsed at first.
    var behindChart: Markup {
        .tag("details", [], .tag("summary", [], "\(caption) as a table"), markup)
    }
}
