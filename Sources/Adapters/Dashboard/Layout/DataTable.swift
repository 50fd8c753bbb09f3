import HealthSyncDomain

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

/// A list of names and figures.
enum FactList {
    static func markup(_ facts: [(name: String, value: Markup)]) -> Markup {
        .tag(
            "dl", [.class("facts")],
            facts.map { .tag("div", [], .tag("dt", [], .text($0.name)), .tag("dd", [], $0.value)) })
    }
}

/// Numbers, days and times as elements with the exact value in an attribute.
enum Figure {
    /// Returns `<data value="9432">9,432</data>`.
    static func number(_ value: Double, _ text: String) -> Markup {
        .tag("data", [.init("value", CanonicalNumber.text(value))], .text(text))
    }

    /// Returns `Mon 15 Jan 2024`, with the day in the `datetime` attribute.
    static func day(_ day: CalendarDay) -> Markup {
        .tag("time", [.init("datetime", "\(day)")], .text(dayText(day)))
    }

    /// Returns `Mon 15 Jan 2024`.
    static func dayText(_ day: CalendarDay) -> String { "\(day.weekdayName) \(day.dateInWords)" }

    /// Returns the name of an hour, day or longer period on one line: `Jan 2024`.
    static func period(_ name: String) -> Markup { .tag("span", [.class("whole")], .text(name)) }

    /// Returns `15 Jan 2024 to 17 Jan 2024`, or the only day.
    static func days(_ days: DayRange) -> Markup {
        func date(_ day: CalendarDay) -> Markup {
            .tag("time", [.init("datetime", "\(day)")], .text(day.dateInWords))
        }
        return days.count == 1 ? date(days.first) : date(days.first) + " to " + date(days.last)
    }
}
