import HealthSyncDomain

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
            ("color", details.colour), ("purchased", details.purchasedOn.map { "\($0)" }),
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
            "color": details.colour, "colour": details.colour, "purchased": details.purchasedOn,
            "price": details.price.map { ["amount": $0.amount, "currency": $0.currency] as JSONValue },
            "default": shoe.isDefault, "defaultSince": JSONValue.local(shoe.defaultSince, clock),
            "archivedAt": JSONValue.local(shoe.archivedAt, clock), "addedAt": JSONValue.local(shoe.addedAt, clock),
        ]
    }
}
