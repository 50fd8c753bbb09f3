import HealthSyncDomain

/// Drawings of years below each other, with the names of the months above them.
enum YearRows {
    /// Returns the rows; each has a heading, a drawing as wide as a year, and figures.
    static func markup(_ rows: [(name: Markup, drawing: Markup, figures: Markup)]) -> Markup {
        let months = (1...12).map { Markup.tag("span", [], .text(CalendarDay.monthName($0))) }
        let head = Markup.tag(
            "div", [.class("year"), .init("aria-hidden", "true")], .tag("div", [.class("months")], months))
        return .tag(
            "div", [.class("years")],
            [head]
                + rows.map { row in
                    .tag(
                        "div", [.class("year")], .tag("h3", [], row.name), row.drawing,
                        .tag("p", [.class("year-figures")], row.figures))
                })
    }
}
