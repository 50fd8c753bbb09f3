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
