import HealthSyncDomain

/// The pending items, the oldest first.
struct WaitingItemsSection {
    let items: [OutboxItem]
    let count: Int
    let context: PageContext

    var markup: [Markup] {
        guard !items.isEmpty else { return [] }
        var table = DataTable(
            count > items.count
                ? "The oldest \(items.count) of \(context.numbers.whole(Double(count)))" : "All \(count)",
            [.text("Item"), .text("Kind"), .number("Own failures"), .text("Since")])
        for item in items {
            table.add([
                item.content.markup, .text(item.content.kind.rawValue),
                Figure.number(Double(item.attempts), "\(item.attempts)"), context.moment(item.createdAt),
            ])
        }
        return [
            .tag("section", [.class("card"), .id("waiting")], .tag("h2", [], "Waiting to be sent"), table.markup)
        ]
    }
}

extension NewOutboxItem {
    /// The name of the record, whose dates and times are not broken into two lines.
    var markup: Markup {
        var rest = name[...]
        var markup = Markup.nothing
        while !rest.isEmpty {
            let word = rest.prefix { $0 != "/" && $0 != " " }
            rest = rest.dropFirst(word.count)
            let isTime = CalendarDay(word.prefix(10)) != nil
            markup = markup + (isTime ? .tag("span", [.class("whole")], .text(String(word))) : .text(String(word)))
            if let separator = rest.popFirst() { markup = markup + .text(String(separator)) }
        }
        return markup
    }
}
