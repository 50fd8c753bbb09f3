/// The user's description of a pair of shoes.
package struct ShoeDetails: Sendable, Hashable {
    package var brand: String
    package var model: String
    /// One emoji for the shoe.
    package var emoji: String?
    /// A name in letters (`blue`) or `#RRGGBB`.
    package var colour: String?
    package var purchasedOn: CalendarDay?
    package var price: ShoePrice?

    package init(
        brand: String, model: String, emoji: String? = nil, colour: String? = nil, purchasedOn: CalendarDay? = nil,
        price: ShoePrice? = nil
    ) {
        self.brand = brand
        self.model = model
        self.emoji = emoji
        self.colour = colour
        self.purchasedOn = purchasedOn
        self.price = price
    }

    /// Returns the details with surrounding spaces removed from the names.
    ///
    /// - Throws: `.usage` for an empty or overlong name, an invalid emoji or colour, or a date of purchase after
    ///   `today`.
    package func checked(today: CalendarDay) throws(SyncFailure) -> ShoeDetails {
        var details = self
        details.brand = try Self.name(brand, "brand")
        details.model = try Self.name(model, "model")
        if let emoji, !Self.isEmoji(emoji) {
            throw SyncFailure(
                .usage, subject: "emoji", reason: "not a single emoji", advice: "use one emoji, such as 👟")
        }
        if let colour, !Self.isColour(colour) {
            throw SyncFailure(
                .usage, subject: "colour", reason: "not a colour", advice: "use a name such as blue, or #RRGGBB")
        }
        if let purchasedOn, purchasedOn > today || purchasedOn < Self.earliestDay {
            throw SyncFailure(
                .usage, subject: "purchased", reason: "\(purchasedOn) is not between \(Self.earliestDay) and today",
                advice: "use the date of purchase")
        }
        return details
    }

    /// 1900-01-01, the earliest date of a purchase or session.
    package static let earliestDay = CalendarDay(ordinal: -25_567)

    private static func name(_ text: String, _ what: String) throws(SyncFailure) -> String {
        let trimmed = text.withoutOuterSpaces
        guard !trimmed.isEmpty, trimmed.count <= 200,
            !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw SyncFailure(
                .usage, subject: what, reason: "is empty, too long or contains control characters",
                advice: "use 1 to 200 characters")
        }
        return trimmed
    }

    private static func isEmoji(_ text: String) -> Bool {
        guard text.count == 1, let first = text.unicodeScalars.first, text.unicodeScalars.count <= 16 else {
            return false
        }
        return first.properties.isEmojiPresentation
            || (first.properties.isEmoji && text.unicodeScalars.count > 1 && !first.isASCII)
    }

    private static func isColour(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        if bytes.first == 0x23 {
            return bytes.count == 7 && bytes.dropFirst().allSatisfy { HexDigits.value($0) != nil }
        }
        return (1...30).contains(bytes.count)
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }
}
