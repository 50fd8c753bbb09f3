import HealthSyncDomain

extension ShoeView {
    var json: JSONValue { .object(Self.members(shoe, clock) + totalMembers) }

    /// Returns the details of a shoe, without its totals.
    static func members(_ shoe: Shoe, _ clock: DayClock) -> [JSONValue.Member] {
        let details = shoe.details
        let members: [(String, JSONValue)] = [
            ("id", .string(ShoeNames.text(shoe.id))), ("brand", .string(details.brand)),
            ("model", .string(details.model)), ("emoji", .optional(details.emoji)),
            ("colour", .optional(details.colour)), ("purchased", .optional(details.purchasedOn.map { "\($0)" })),
            (
                "price",
                details.price.map { ["amount": .number($0.amount), "currency": .string($0.currency)] } ?? .null
            ),
            ("default", .bool(shoe.isDefault)), ("defaultSince", .local(shoe.defaultSince, clock)),
            ("archivedAt", .local(shoe.archivedAt, clock)), ("addedAt", .local(shoe.addedAt, clock)),
        ]
        return members.map { JSONValue.Member(name: $0.0, value: $0.1) }
    }

    private var totalMembers: [JSONValue.Member] {
        [JSONValue.Member(name: "wornNow", value: .bool(isWorn))] + JSONValue.members(totals.figures) + [
            JSONValue.Member(name: "wornMinutes", value: .minutes(totals.worn)),
            JSONValue.Member(name: "sessionCount", value: .count(totals.sessions)),
            JSONValue.Member(name: "wornSince", value: .local(totals.since, clock)),
            JSONValue.Member(name: "lastWorn", value: .local(totals.lastWorn, clock)),
            JSONValue.Member(
                name: "costPerKilometre", value: .optional(totals.costPerKilometre(shoe.details.price))),
        ]
    }
}
