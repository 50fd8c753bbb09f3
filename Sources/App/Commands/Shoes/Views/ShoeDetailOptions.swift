import HealthSyncDomain

/// What may be said of a shoe beside its name.
enum ShoeDetailOptions {
    static let options: [OptionDeclaration] = [
        .value("emoji", "EMOJI", "One emoji that stands for it"),
        .value("colour", "COLOUR", "A name, such as blue, or #RRGGBB"),
        .value("purchased", "DAY", "The day on which it was bought, YYYY-MM-DD"),
        .value("price", "PRICE", "What it cost, with the currency's three letters: \"139.95 EUR\""),
    ]

    /// The word that takes away what was said before.
    private static let nothing = "none"

    /// `details` with what `parsed` says.
    static func stated(_ parsed: ParsedCommand, in details: ShoeDetails) throws(SyncFailure) -> ShoeDetails {
        var details = details
        if let text = parsed.text("emoji") { details.emoji = text == nothing ? nil : text }
        if let text = parsed.text("colour") { details.colour = text == nothing ? nil : text }
        if let text = parsed.text("purchased") {
            details.purchasedOn = text == nothing ? nil : try parsed.day("purchased")
        }
        if let text = parsed.text("price") { details.price = text == nothing ? nil : try price(text) }
        return details
    }

    private static func price(_ text: String) throws(SyncFailure) -> ShoePrice {
        guard let price = ShoePrice(text) else {
            throw .usage(
                "--price", "\"\(text)\" is no price",
                advice: "write an amount with a point and the currency's three letters, such as \"139.95 EUR\"")
        }
        return price
    }
}
