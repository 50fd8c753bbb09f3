import HealthSyncDomain
import HealthSyncPorts

/// A pair of shoes in the collection.
struct ShoeCard {
    let shoe: Shoe
    let collection: ShoeCollection
    let names: ShoeLabels
    let context: PageContext

    private var totals: ShoeTotals { collection.totals[shoe.id] ?? ShoeTotals() }
    private var isWorn: Bool { collection.sessions.active?.shoe == shoe.id }

    var markup: Markup {
        let states = [isWorn ? "worn now" : nil, shoe.isDefault ? "default" : nil].compactMap(\.self)
        return .tag(
            "section", [.class("card")],
            [
                .tag(
                    "h2", [], .tag("span", [.class("swatch \(names.style(shoe.id))")]),
                    .tag("a", [.href(ShoePage.address(of: shoe.id))], .text(ShoeLabels.label(shoe)))),
                FactList.markup(ShoeFacts.totals(totals, of: shoe, context.numbers)),
                .tag("p", [.class(isWorn ? "good" : "quiet")], .text(states.joined(separator: ", "))),
                ActOnShoe.form(isWorn ? .stop : .start, shoe, context.request.viewer),
            ])
    }
}
