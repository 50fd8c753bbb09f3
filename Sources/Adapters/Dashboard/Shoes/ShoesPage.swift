import HealthSyncDomain
import HealthSyncPorts

/// All shoes with their totals.
struct ShoesPage: Page {
    static let address = "/view/shoes"
    let name = "Shoes"
    let reader: any ShoeReader

    func content(_ context: PageContext) async throws -> [Markup] {
        let collection = try await reader.shoeCollection()
        let current = collection.shoes.filter { !$0.isArchived }
        let archived = collection.shoes.filter(\.isArchived)
        let names = ShoeLabels(collection.shoes)
        var parts: [Markup] = [ShoeColors.link]
        if current.isEmpty { parts.append(.tag("p", [], "There are no shoes in the collection yet.")) }
        parts.append(
            .tag(
                "div", [.class("cards")],
                current.map { ShoeCard(shoe: $0, collection: collection, names: names, context: context).markup }))
        if !archived.isEmpty { parts.append(table(archived, collection, context)) }
        let form = ShoeForm.markup(
            AddShoe.address, button: "Add shoes", details: nil, context: context,
            further: [
                Form.checkbox(
                    "default", value: "yes", label: "default shoes, whose session starts automatically",
                    isChecked: context.isChosen("default", "yes", usual: collection.shoes.isEmpty))
            ])
        return parts + [.tag("section", [.class("card")], .tag("h2", [], "New shoes"), form)]
    }

    private func table(_ shoes: [Shoe], _ collection: ShoeCollection, _ context: PageContext) -> Markup {
        var table = DataTable(
            "Archived shoes", [.text("Shoe"), .number("Steps"), .number("Distance"), .number("Worn")])
        for shoe in shoes {
            let totals = collection.totals[shoe.id] ?? ShoeTotals()
            table.add(
                [.tag("a", [.href(ShoePage.address(of: shoe.id))], .text(ShoeLabels.label(shoe)))]
                    + WalkCells.cells(totals.figures, context.numbers) + [SleepFigure.duration(totals.worn)])
        }
        return .tag("section", [.class("card")], .tag("h2", [], "Archive"), table.markup)
    }
}

/// A pair of shoes in the collection.
private struct ShoeCard {
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

/// Adds a pair of shoes to the collection.
struct AddShoe: PageAction {
    static let address = "/view/shoes/add"
    let actions: any ShoeActions

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: ShoesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let details = try ShoeForm.details(request)
        let shoe = try await actions.run(.add(details, isDefault: request.fields("default") == ["yes"]))
        return .seeOther(ShoePage.address(of: shoe.id))
    }
}
