import HealthSyncDomain

/// The options for details of a shoe other than its name.
enum ShoeDetailOptions {
    static let options: [OptionDeclaration] = [
        .value("emoji", "EMOJI", "Show this emoji with its name"),
        .value("color", "COLOR", "Set its color, a name such as blue or #RRGGBB"),
        .value("purchased", "DAY", "Set the date of purchase, YYYY-MM-DD"),
        .value("price", "PRICE", "Set the price with its currency code, such as \"139.95 EUR\""),
    ]

    /// The value that removes a detail.
    private static let nothing = "none"

    /// Returns `details` changed by the options of `parsed`.
    static func applied(_ parsed: ParsedCommand, to details: ShoeDetails) throws(SyncFailure) -> ShoeDetails {
        var details = details
        if let text = parsed.text("emoji") { details.emoji = text == nothing ? nil : text }
        if let text = parsed.text("color") { details.colour = text == nothing ? nil : text }
        if let text = parsed.text("purchased") {
            details.purchasedOn = text == nothing ? nil : try parsed.day("purchased")
        }
        if let text = parsed.text("price") { details.price = text == nothing ? nil : try price(text) }
        return details
    }

    private static func price(_ text: String) throws(SyncFailure) -> ShoePrice {
        guard let price = ShoePrice(text) else {
            throw .usage(
                "--price", "invalid price \"\(text)\"",
                advice: "write an amount and a currency code, such as \"139.95 EUR\"")
        }
        return price
    }
}
