import HealthSyncDomain
import HealthSyncPorts

/// The items that the server rejected, with buttons to retry them.
struct RejectedItemsSection {
    let items: [OutboxItem]
    let count: Int
    let context: PageContext

    private static let longestReason = 200

    var markup: [Markup] {
        guard !items.isEmpty else {
            return [
                .tag(
                    "section", [.class("card"), .id("refused")], .tag("h2", [], "Rejected by the server"),
                    .tag("p", [], "Nothing."))
            ]
        }
        let shown: [Markup] =
            count > items.count
            ? [
                .tag(
                    "p", [.class("quiet")],
                    "The first \(items.count) of \(context.numbers.whole(Double(count))) are shown.")
            ] : []
        let form = Form.post(
            RetryItems.address, viewer: context.request.viewer,
            [
                table.markup, .tag("p", [.class("selection")]),
                .tag(
                    "p", [.class("fields")], Form.button("Send selected again", [.class("strong")]),
                    Form.button("Send all again", [.init("name", "all"), .init("value", "yes")])),
            ], attributes: [.init("data-select", "id")])
        return [
            .tag(
                "section", [.class("card"), .id("refused")],
                [
                    .tag("h2", [], "Rejected by the server"),
                    .tag("p", [.class("quiet")], "Kept until you send them again."),
                ] + shown + [form])
        ]
    }

    private var table: DataTable {
        var table = DataTable(
            "Rejected items",
            [.text("Item"), .text("Kind"), .text("Status"), .text("Reason"), .text("When")])
        for item in items {
            table.add([
                Form.checkbox(
                    "id", value: "\(item.id)", label: item.content.markup,
                    isChecked: context.isChosen("id", "\(item.id)", usual: false)),
                .text(
                    item.content.isTombstone ? "\(item.content.kind.rawValue), deletion" : item.content.kind.rawValue),
                .text(item.lastStatus.map { "\($0)" } ?? "–"),
                .tag("span", [.class("reason")], .text((item.lastReason ?? "").shortened(to: Self.longestReason))),
                context.moment(item.updatedAt),
            ])
        }
        return table
    }
}
