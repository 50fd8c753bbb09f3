/// What a person says of a pair of shoes.
package struct ShoeDetails: Sendable, Hashable {
    package var brand: String
    package var model: String
    /// One emoji that stands for the shoe.
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

    /// The details without spaces around names. Throws `.usage` for what no shoe has: an empty or overlong name, a colour
    /// that is none, a purchase after `today`.
    package func checked(today: CalendarDay) throws(SyncFailure) -> ShoeDetails {
        var details = self
        details.brand = try Self.name(brand, "brand")
        details.model = try Self.name(model, "model")
        if let emoji, !Self.isEmoji(emoji) {
            throw SyncFailure(.usage, subject: "emoji", reason: "this is not one emoji", advice: "give one, such as 👟")
        }
        if let colour, !Self.isColour(colour) {
            throw SyncFailure(
                .usage, subject: "colour", reason: "this is no colour", advice: "give a name such as blue, or #RRGGBB")
        }
        if let purchasedOn, purchasedOn > today || purchasedOn < Self.earliestDay {
            throw SyncFailure(
                .usage, subject: "purchased", reason: "\(purchasedOn) is not from \(Self.earliestDay) to today",
                advice: "give the day on which the shoes were bought")
        }
        return details
    }

    /// 1900-01-01: before it no shoes were bought or worn.
    package static let earliestDay = CalendarDay(ordinal: -25_567)

    private static func name(_ text: String, _ what: String) throws(SyncFailure) -> String {
        let trimmed = text.withoutOuterSpaces
        guard !trimmed.isEmpty, trimmed.count <= 200,
            !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw SyncFailure(
                .usage, subject: what, reason: "is empty, too long or has control characters in it",
                advice: "give 1 to 200 characters")
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
