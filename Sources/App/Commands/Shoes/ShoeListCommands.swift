import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes list`
enum ShoesListCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes list", "List all shoes with steps, distance, time worn and cost per kilometre",
        examples: ["shoes list", "shoes list --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let collection = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.shoes.shoeCollection()
        }
        let views = collection.shoes.map { ShoeView($0, in: collection, clock: settings.clock) }
        context.show(
            text: views.isEmpty
                ? ["no shoes yet; run `healthsync shoes add BRAND MODEL` to add some"]
                : ShoeListView(shoes: views).lines(context.style),
            json: ["shoes": views])
        return .done
    }
}

/// A table of all shoes, one per row.
private struct ShoeListView {
    let shoes: [ShoeView]

    /// Returns the table. On narrow terminals, truncates names and omits columns that `shoes show` contains.
    func lines(_ style: OutputStyle) -> [String] {
        let all = ShoeView.heads
        for count in 0..<Self.optional.count {
            let columns = all.indices.filter { !Self.optional.prefix(count).contains(all[$0].0) }
            let table = table(of: columns, style, leastName: 24)
            if table.width <= style.width ?? .max { return table.lines() }
        }
        let columns = all.indices.filter { !Self.optional.contains(all[$0].0) }
        return table(of: columns, style, leastName: 8).lines()
    }

    private func table(of columns: [Int], _ style: OutputStyle, leastName: Int) -> TextTable {
        var table = TextTable(heads: columns.map { ShoeView.heads[$0] })
        for shoe in shoes { table.add(columns.map { shoe.cells[$0] }) }
        let name = columns.firstIndex { ShoeView.heads[$0].0 == "shoe" } ?? 0
        table.cut(name, toFit: style.width, least: leastName)
        return table
    }

    /// Heads of optional columns, in the order in which they are omitted.
    private static let optional = ["since", "per km", "worn", "id"]
}

/// `healthsync shoes show`
enum ShoesShowCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes show", "Show a pair of shoes with its totals and sessions",
        discussion: ["Lists the last ten sessions; with --json all of them."],
        arguments: [ShoeChoice.argument], examples: ["shoes show speedcross 6"])

    /// The number of sessions that the text output shows.
    private static let shownSessions = 10

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        return try await context.withEngine(.reading, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: try await engine.shoes.all())
            let collection = try await engine.shoes.shoeCollection()
            let view = ShoeView(shoe, in: collection, clock: settings.clock)
            let names = ShoeNames(collection.shoes)
            let sessions = collection.sessions.all.filter { $0.shoe == shoe.id }.map {
                ShoeSessionView(session: $0, names: names, clock: settings.clock)
            }
            var table = TextTable([.left, .left])
            for session in sessions.suffix(shownSessions).reversed() { table.add(session.period, session.remark) }
            table.cut(1, toFit: context.style.width, indentation: 2)
            let latest = sessions.isEmpty ? [] : ["last worn"] + table.lines(indentation: 2)
            context.show(
                text: view.lines(context.style) + latest,
                json: ["shoe": view.json, "sessions": sessions])
            return .done
        }
    }
}

/// A shoe with its totals.
struct ShoeView {
    private let shoe: Shoe
    private let totals: ShoeTotals
    private let isWorn: Bool
    private let clock: DayClock

    init(_ shoe: Shoe, in collection: ShoeCollection, clock: DayClock) {
        self.shoe = shoe
        totals = collection.totals[shoe.id] ?? ShoeTotals()
        isWorn = collection.sessions.active?.shoe == shoe.id
        self.clock = clock
    }

    static let heads: [(String, TextTable.Alignment)] =
        [("id", .left), ("shoe", .left)] + WalkText.heads + [
            ("worn", .right), ("per km", .right), ("since", .left), ("", .left),
        ]

    var cells: [String] {
        [ShoeNames.shortID(shoe.id), ShoeNames.label(shoe)] + WalkText.cells(totals.figures) + [
            DurationText.minutes(milliseconds: Double(totals.worn)), cost ?? "-",
            totals.since.map { "\(clock.day(of: $0))" } ?? "-", state,
        ]
    }

    /// Returns all details and totals.
    func lines(_ style: OutputStyle) -> [String] {
        let details = shoe.details
        let rows: [(String, String?)] = [
            ("id", ShoeNames.text(shoe.id)), ("state", state.isEmpty ? nil : state),
            ("color", details.color), ("purchased", details.purchasedOn.map { "\($0)" }),
            ("price", details.price.map { "\(Figures.fixed($0.amount, places: 2)) \($0.currency)" }),
            ("added", Figures.wallClock(shoe.addedAt, clock)),
            ("steps", totals.figures.steps.map { Figures.rounded($0, places: 0) }),
            ("distance", totals.figures.kilometres.map { Figures.rounded($0, places: 2) + " km" }),
            (
                "worn",
                "\(DurationText.minutes(milliseconds: Double(totals.worn))) in \(Figures.count(totals.sessions, "session"))"
            ),
            ("worn since", totals.since.map { Figures.wallClock($0, clock) }),
            ("worn until", isWorn ? "now" : totals.lastWorn.map { Figures.wallClock($0, clock) }),
            ("cost", cost.map { "\($0) per km" }),
        ]
        var table = TextTable([.left, .left])
        for (name, text) in rows { if let text { table.add(name, text) } }
        table.cut(1, toFit: style.width, indentation: 2)
        return [DisplayText.fitted(ShoeNames.label(shoe), columns: style.width ?? .max)] + table.lines(indentation: 2)
    }

    /// The cost per kilometre: `0.25 EUR`.
    private var cost: String? {
        guard let price = shoe.details.price, let cost = totals.costPerKilometre(price) else { return nil }
        return "\(Figures.fixed(cost, places: 2)) \(price.currency)"
    }

    private var state: String {
        [(isWorn, "worn now"), (shoe.isDefault, "default"), (shoe.isArchived, "archived")]
            .filter(\.0).map(\.1).joined(separator: ", ")
    }
}

extension ShoeView: JSONEncodable {
    package var json: JSONValue {
        .joined(
            Self.details(shoe, clock), ["wornNow": isWorn], .walk(totals.figures),
            [
                "wornMinutes": JSONValue.minutes(totals.worn), "sessionCount": totals.sessions,
                "wornSince": JSONValue.local(totals.since, clock), "lastWorn": JSONValue.local(totals.lastWorn, clock),
                "costPerKilometre": totals.costPerKilometre(shoe.details.price),
            ])
    }

    /// Returns the details of a shoe, without its totals.
    static func details(_ shoe: Shoe, _ clock: DayClock) -> JSONValue {
        let details = shoe.details
        return [
            "id": ShoeNames.text(shoe.id), "brand": details.brand, "model": details.model, "emoji": details.emoji,
            "color": details.color, "colour": details.color, "purchased": details.purchasedOn,
            "price": details.price.map { ["amount": $0.amount, "currency": $0.currency] as JSONValue },
            "default": shoe.isDefault, "defaultSince": JSONValue.local(shoe.defaultSince, clock),
            "archivedAt": JSONValue.local(shoe.archivedAt, clock), "addedAt": JSONValue.local(shoe.addedAt, clock),
        ]
    }
}

/// Steps and distance as table cells.
enum WalkText {
    static let heads: [(String, TextTable.Alignment)] = [("steps", .right), ("km", .right)]

    static func cells(_ figures: WalkFigures) -> [String] {
        [
            figures.steps.map { Figures.rounded($0, places: 0) } ?? "-",
            figures.kilometres.map { Figures.fixed($0, places: 2) } ?? "-",
        ]
    }
}
