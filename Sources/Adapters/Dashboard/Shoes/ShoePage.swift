import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// One pair of shoes: its details, totals and sessions.
struct ShoePage: Page {
    static let address = "/view/shoe"
    let name = "Pair of shoes"
    let entry = "Shoes"
    let reader: any ShoeReader

    private static let mostSessions = 100

    /// Returns the page of the shoe in a form.
    static func place(of request: WebRequest) -> FormPlace {
        FormPlace(address: address, query: request.fields("shoe").map { WebField("id", $0) })
    }

    /// Returns the address of the page of a shoe.
    static func address(of id: Shoe.ID) -> String { Choice.address(address, [("id", ShoeLabels.id(id))]) }

    func content(_ context: PageContext) async throws -> [Markup] {
        guard let id = context.request.parameter("id").flatMap({ UUID(uuidString: $0) }) else { throw Self.noShoe }
        let collection = try await reader.shoeCollection()
        guard let shoe = collection.shoes.first(where: { $0.id == id }) else { throw Self.noShoe }
        let viewer = context.request.viewer
        let isWorn = collection.sessions.active?.shoe == id
        var verbs: [ActOnShoe.Verb] = shoe.isArchived ? [.unarchive] : [isWorn ? .stop : .start]
        if !shoe.isArchived, !shoe.isDefault { verbs.append(.makeDefault) }
        if !shoe.isArchived, !isWorn { verbs.append(.archive) }
        let buttons = Markup.tag(
            "div", [.class("fields")],
            verbs.map { ActOnShoe.form($0, shoe, viewer) } + (isWorn ? [] : [DeleteShoe.form(shoe, viewer)]))
        let form = ShoeForm.markup(
            EditShoe.address, button: "Save", details: shoe.details, context: context,
            further: [Form.hidden("shoe", ShoeLabels.id(id))])
        let names = ShoeLabels(collection.shoes)
        let head = Markup.tag(
            "section", [.class("card"), .id("shoe")],
            .tag(
                "h2", [.class("name")], .tag("span", [.class("swatch \(names.style(id))")]), .text(shoe.label)),
            FactList.markup(facts(shoe, collection, context)), buttons)
        let months = ShoeMonthsSection(
            months: collection.months[id] ?? [:], style: names.style(id), context: context)
        return [ShoeColours.link, head] + months.markup + [
            sessions(collection.sessions.all.filter { $0.shoe == id }, context),
            .tag("section", [.class("card")], .tag("h2", [], "Change"), form),
        ]
    }

    /// The failure for an unknown id.
    static let noShoe = SyncFailure(
        .noInput, subject: "shoe", reason: "no such shoes", advice: "choose some from the list of shoes")

    private func facts(
        _ shoe: Shoe, _ collection: ShoeCollection, _ context: PageContext
    ) -> [(name: String, value: Markup)] {
        let totals = collection.totals[shoe.id] ?? ShoeTotals()
        var facts = ShoeFacts.totals(totals, of: shoe, context.numbers)
        facts.append(("Sessions", Figure.number(Double(totals.sessions), "\(totals.sessions)")))
        if let since = totals.since { facts.append(("First worn", context.moment(since))) }
        if let last = totals.lastWorn { facts.append(("Last worn", context.moment(last))) }
        if let colour = shoe.details.colour { facts.append(("Color", .text(colour))) }
        if let day = shoe.details.purchasedOn { facts.append(("Bought", Figure.day(day))) }
        if let price = shoe.details.price {
            facts.append(
                (
                    "Price",
                    Figure.number(price.amount, context.numbers.money(price.amount, price.currency))
                ))
        }
        if let instant = shoe.archivedAt { facts.append(("Archived", context.moment(instant))) }
        return facts
    }

    private func sessions(_ all: [ShoeSession], _ context: PageContext) -> Markup {
        guard !all.isEmpty else {
            return .tag("section", [.class("card")], .tag("h2", [], "Sessions"), .tag("p", [], "Never worn."))
        }
        var table = DataTable(
            all.count > Self.mostSessions ? "The latest \(Self.mostSessions) of \(all.count)" : "All \(all.count)",
            [.text("From"), .text("To"), .number("Worn")])
        for session in all.suffix(Self.mostSessions).reversed() {
            let interval = session.interval(until: context.now)
            table.add([
                .tag(
                    "a", [.href(JournalPage.address(of: context.clock.day(of: session.start)))],
                    context.moment(session.start)),
                session.isActive ? "worn now" : context.moment(interval.end),
                SleepFigure.duration(interval.milliseconds),
            ])
        }
        return .tag("section", [.class("card")], .tag("h2", [], "Sessions"), table.markup)
    }
}
