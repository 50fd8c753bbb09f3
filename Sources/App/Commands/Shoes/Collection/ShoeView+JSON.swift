import HealthSyncDomain

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
