import HealthSyncDomain

/// Links to other views of the same page.
enum Choice {
    /// Returns links to several views, with the current one marked.
    static func of(_ label: String, _ views: [(name: String, address: String, isCurrent: Bool)]) -> Markup {
        .tag(
            "nav", [.init("aria-label", label)],
            .tag(
                "ul", [.class("choice")],
                views.map { view in
                    .tag(
                        "li", [],
                        .tag(
                            "a", [.href(view.address), view.isCurrent ? .init("aria-current", "true") : .none],
                            .text(view.name)))
                }))
    }

    /// Returns the heading of the shown days, with links to the previous, the next and the latest days, and a form to
    /// select a day. `latest` is `nil` if the page shows the latest day.
    static func stretch(
        _ name: Markup, before: CalendarDay?, after: CalendarDay?, latest: CalendarDay?, day: CalendarDay, path: String,
        fixed: [(name: String, value: String)], names: (before: String, after: String)
    ) -> Markup {
        func link(_ day: CalendarDay?, _ content: Markup...) -> [Markup] {
            guard let day else { return [] }
            return [.tag("a", [.class("button"), .href(address(path, fixed + [("day", "\(day)")]))], content)]
        }
        func arrow(_ text: String) -> Markup { .tag("span", [.init("aria-hidden", "true")], .text(text)) }
        // A phone has space for the arrows alone.
        func words(_ text: String) -> Markup { .tag("span", [.class("words")], .text(text)) }
        let jump = Markup.tag(
            "form", [.init("method", "get"), .init("action", path)],
            fixed.map { Form.hidden($0.name, $0.value) } + [
                .tag(
                    "span", [.class("fields")],
                    .tag("label", [.init("for", "day")], "Day"),
                    .tag(
                        "input",
                        [.init("type", "date"), .id("day"), .init("name", "day"), .init("value", "\(day)")]),
                    Form.button("Show"))
            ])
        return .tag(
            "div", [.class("steps-through")],
            [
                .tag(
                    "div", [.class("stretch")],
                    link(before, arrow("‹ "), words(names.before)) + [.tag("h2", [], name)]
                        + link(after, words(names.after), arrow(" ›")))
            ] + link(latest, "Latest") + [jump])
    }

    /// Returns a line that states up to which day the figures of the page at `path` are, with a link to the latest ones; nothing for
    /// a page without a selected day.
    static func upTo(_ context: PageContext, at path: String) throws(SyncFailure) -> [Markup] {
        guard let day = try context.day(), day < context.today else { return [] }
        return [
            .tag(
                "p", [.id("up-to")], "Figures up to " + Figure.day(day) + ". ",
                .tag("a", [.href(path)], "Show the latest"))
        ]
    }

    /// Returns what the page at `path` shows if nothing is recorded up to the selected day; `nil` if nothing is recorded at all.
    static func nothing(_ context: PageContext, at path: String) throws(SyncFailure) -> [Markup]? {
        let line = try upTo(context, at: path)
        guard context.recorded != nil, !line.isEmpty else { return nil }
        return line + [.tag("p", [], "Nothing is recorded up to this day.")]
    }

    /// Returns `path?name=value&…`; names need no encoding, values are encoded.
    static func address(_ path: String, _ query: [(name: String, value: String)]) -> String {
        let fields = query.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }
        return fields.isEmpty ? path : path + "?" + fields.joined(separator: "&")
    }
}
