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
        return [ShoeColors.link, head] + months.markup + [
            sessions(collection.sessions.all.filter { $0.shoe == id }, context),
            .tag("section", [.class("card")], .tag("h2", [], "Change"), form),
        ]
    }

    /// The failure for an unknown id.
    fileprivate static let noShoe = SyncFailure(
        .noInput, subject: "shoe", reason: "no such shoes", advice: "choose some from the list of shoes")

    private func facts(
        _ shoe: Shoe, _ collection: ShoeCollection, _ context: PageContext
    ) -> [(name: String, value: Markup)] {
        let totals = collection.totals[shoe.id] ?? ShoeTotals()
        var facts = ShoeFacts.totals(totals, of: shoe, context.numbers)
        facts.append(("Sessions", Figure.number(Double(totals.sessions), "\(totals.sessions)")))
        if let since = totals.since { facts.append(("First worn", context.moment(since))) }
        if let last = totals.lastWorn { facts.append(("Last worn", context.moment(last))) }
        if let color = shoe.details.color { facts.append(("Color", .text(color))) }
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

/// Starts or ends a session of a pair of shoes, or makes the pair the default, archives or restores it.
struct ActOnShoe: PageAction {
    /// The action.
    enum Verb: String, CaseIterable {
        case start
        case stop
        case makeDefault = "default"
        case archive
        case unarchive

        fileprivate var button: String {
            switch self {
            case .start: "Start session"
            case .stop: "End session"
            case .makeDefault: "Make default"
            case .archive: "Archive"
            case .unarchive: "Restore"
            }
        }
    }

    let verb: Verb
    let actions: any ShoeActions

    static let address = ShoesPage.address
    var address: String { Self.address(of: verb) }

    private static func address(of verb: Verb) -> String { "\(address)/\(verb.rawValue)" }

    /// Returns the form for a shoe.
    static func form(_ verb: Verb, _ shoe: Shoe, _ viewer: WebViewer) -> Markup {
        Form.post(
            address(of: verb), viewer: viewer,
            [
                Form.hidden("shoe", ShoeLabels.id(shoe.id)),
                Form.button(verb.button, [.init("aria-label", "\(verb.button): \(ShoeLabels.label(shoe))")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let id = try ShoeLabels.id(in: request)
        switch verb {
        case .start: _ = try await actions.run(.start(id))
        case .stop: _ = try await actions.run(.stop)
        case .makeDefault: _ = try await actions.run(.setDefault(id))
        case .archive: _ = try await actions.run(.archive(id))
        case .unarchive: _ = try await actions.run(.unarchive(id))
        }
        return .seeOther(ShoePage.address(of: id))
    }
}

/// Deletes a pair of shoes. First shows the number of sessions that become unattributed, and deletes the pair only if
/// the number is still the same when the user confirms.
struct DeleteShoe: PageAction {
    static let address = "\(ShoesPage.address)/delete"
    let reader: any ShoeReader
    let actions: any ShoeActions

    /// Returns the button for a shoe.
    static func form(_ shoe: Shoe, _ viewer: WebViewer) -> Markup {
        Form.post(
            address, viewer: viewer,
            [
                Form.hidden("shoe", ShoeLabels.id(shoe.id)),
                Form.button("Delete", [.init("aria-label", "Delete: \(ShoeLabels.label(shoe))")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let id = try ShoeLabels.id(in: request)
        let collection = try await reader.shoeCollection()
        guard let shoe = collection.shoes.first(where: { $0.id == id }) else { throw ShoePage.noShoe }
        let count = collection.sessions.all.count { $0.shoe == id }
        let confirmed = request.fields("confirmed").first
        guard confirmed == "\(count)" else {
            return .page(
                name: "Delete \(shoe.label)?",
                question(shoe, count, viewer: request.viewer, hasChanged: confirmed != nil))
        }
        _ = try await actions.run(.delete(id))
        return .seeOther(ShoesPage.address)
    }

    private func question(_ shoe: Shoe, _ count: Int, viewer: WebViewer, hasChanged: Bool) -> [Markup] {
        let notice = Markup.tag(
            "p", [.class("notice warn"), .id("changed"), .init("role", "alert")],
            "The sessions of these shoes changed since this page was loaded. Nothing was deleted.")
        let sessions = count == 1 ? "1 session becomes" : "\(count) sessions become"
        return (hasChanged ? [notice] : []) + [
            .tag(
                "section", [.class("card"), .id("delete")],
                .tag("p", [], .text("\(sessions) unattributed. This cannot be undone.")),
                .tag("p", [], "Archived shoes keep their sessions."),
                Form.post(
                    Self.address, viewer: viewer,
                    [
                        Form.hidden("shoe", ShoeLabels.id(shoe.id)), Form.hidden("confirmed", "\(count)"),
                        .tag(
                            "p", [.class("fields")], Form.button("Delete permanently", [.class("strong")]),
                            .tag("a", [.class("button"), .href(ShoePage.address(of: shoe.id))], "Cancel")),
                    ]))
        ]
    }
}

/// Replaces the details of a pair of shoes.
struct EditShoe: PageAction {
    static let address = "/view/shoes/edit"
    let actions: any ShoeActions

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let shoe = try await actions.run(
            .edit(try ShoeLabels.id(in: request), try ShoeForm.details(request)))
        return .seeOther(ShoePage.address(of: shoe.id))
    }
}

/// The distance with a pair of shoes by month, or its steps if no distance was measured.
private struct ShoeMonthsSection {
    let months: [CalendarPeriod: WalkFigures]
    /// The class of the color of the shoe.
    let style: String
    let context: PageContext

    // The latest five years; more columns are too narrow.
    private static let mostMonths = 60

    var markup: [Markup] {
        guard let last = months.keys.max(), let first = months.keys.min(), last > first else { return [] }
        var shown: [CalendarPeriod] = [last]
        while let month = shown.last, month > first, shown.count < Self.mostMonths {
            shown.append(CalendarPeriod(.month, holding: month.days.first.advanced(by: -1)))
        }
        shown.reverse()
        let hasDistance = months.values.contains { $0.kilometres != nil }
        let columns = shown.map { month in
            let figures = months[month] ?? WalkFigures()
            let value = (hasDistance ? figures.kilometres : figures.steps) ?? 0
            let text =
                hasDistance
                ? context.numbers.rounded(value, places: 2) + " km" : context.numbers.whole(value) + " steps"
            var column = ChartColumn(
                "\(ColumnLabels.fullName(month)): \(text)", label: ColumnLabels.period(month))
            column.parts = [(value, "stage \(style)")]
            return column
        }
        var table = DataTable("Figures by month", [.text("Month"), .number("Steps"), .number("Distance")])
        for month in shown.reversed() {
            let figures = months[month] ?? WalkFigures()
            table.add([Figure.period(ColumnLabels.fullName(month))] + WalkCells.cells(figures, context.numbers))
        }
        let chart = ColumnChart(
            description: hasDistance ? "Kilometres by month" : "Steps by month", columns: columns, unit: 1,
            mark: { context.numbers.whole($0) })
        return [
            .tag(
                "section", [.class("card"), .id("months")],
                .tag("h2", [], hasDistance ? "Kilometres by month" : "Steps by month"),
                chart.markup, table.behindChart)
        ]
    }
}

/// The totals of a pair of shoes.
enum ShoeFacts {
    static func totals(
        _ totals: ShoeTotals, of shoe: Shoe, _ numbers: NumberForm
    ) -> [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = []
        if let distance = WalkCells.distance(totals.figures, numbers) { facts.append(("Distance", distance)) }
        if let steps = WalkCells.steps(totals.figures, numbers) { facts.append(("Steps", steps)) }
        facts.append(("Worn", SleepFigure.duration(totals.worn)))
        if let price = shoe.details.price, let cost = totals.costPerKilometre(price) {
            facts.append(
                ("Cost per kilometre", Figure.number(cost, numbers.money(cost, price.currency))))
        }
        return facts
    }
}
