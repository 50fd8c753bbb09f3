public import Foundation

/// A pair of shoes in the collection.
public struct Shoe: Sendable, Hashable, Identifiable {
    /// Identifies the pair.
    public let id: UUID
    /// The user's description.
    public var details: ShoeDetails
    /// When it became the default shoe, which starts automatically; `nil` if it is not the default. At most one shoe
    /// is.
    public var defaultSince: Instant?
    /// When it was archived. An archived shoe keeps its sessions but can be neither started nor the default.
    public var archivedAt: Instant?
    /// When it was added to the collection.
    public let addedAt: Instant

    package init(
        id: UUID, details: ShoeDetails, defaultSince: Instant? = nil, archivedAt: Instant? = nil, addedAt: Instant
    ) {
        self.id = id
        self.details = details
        self.defaultSince = defaultSince
        self.archivedAt = archivedAt
        self.addedAt = addedAt
    }

    /// Brand and model.
    public var name: String { "\(details.brand) \(details.model)" }
    /// The name with the emoji: `👟 Salomon Speedcross 6`.
    public var label: String { (details.emoji.map { $0 + " " } ?? "") + name }
    /// Whether the pair starts automatically.
    public var isDefault: Bool { defaultSince != nil }
    /// Whether the pair is archived.
    public var isArchived: Bool { archivedAt != nil }
}

/// The user's description of a pair of shoes.
public struct ShoeDetails: Sendable, Hashable {
    /// The maker, 1 to 200 characters.
    public var brand: String
    /// The model, 1 to 200 characters.
    public var model: String
    /// One emoji for the shoe.
    public var emoji: String?
    /// A name in letters (`blue`) or `#RRGGBB`.
    public var color: String?
    /// The day of the purchase.
    public var purchasedOn: CalendarDay?
    /// The price of the pair.
    public var price: ShoePrice?

    package init(
        brand: String, model: String, emoji: String? = nil, color: String? = nil, purchasedOn: CalendarDay? = nil,
        price: ShoePrice? = nil
    ) {
        self.brand = brand
        self.model = model
        self.emoji = emoji
        self.color = color
        self.purchasedOn = purchasedOn
        self.price = price
    }

    /// Returns the details with surrounding spaces removed from the names.
    ///
    /// - Throws: `.usage` for an empty or overlong name, an invalid emoji or color, or a date of purchase after
    ///   `today`.
    package func checked(today: CalendarDay) throws(SyncFailure) -> ShoeDetails {
        var details = self
        details.brand = try Self.name(brand, "brand")
        details.model = try Self.name(model, "model")
        if let emoji, !Self.isEmoji(emoji) {
            throw SyncFailure(
                .usage, subject: "emoji", reason: "not a single emoji", advice: "use one emoji, such as 👟")
        }
        if let color, !Self.isColor(color) {
            throw SyncFailure(
                .usage, subject: "color", reason: "not a color", advice: "use a name such as blue, or #RRGGBB")
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

    private static func isColor(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        if bytes.first == 0x23 {
            return bytes.count == 7 && bytes.dropFirst().allSatisfy { HexDigits.value($0) != nil }
        }
        return (1...30).contains(bytes.count)
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    }
}

/// The price of a pair of shoes.
public struct ShoePrice: Sendable, Hashable {
    /// The amount in whole units of the currency, with at most three decimals.
    public let amount: Double
    /// Three capital letters (ISO 4217).
    public let currency: String

    package init(amount: Double, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Parses `139.95 EUR` or `139.95EUR`: up to seven digits, optionally a point and up to three more, then three
    /// letters. Returns `nil` for anything else.
    package init?(_ text: String) {
        let digits = text.prefix { $0 != " " && !$0.isLetter }
        let letters = text[digits.endIndex...].drop { $0 == " " }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = { (part: Substring, lengths: ClosedRange<Int>) in
            lengths.contains(part.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard let whole = parts.first, isNumber(whole, 1...7), parts.count <= 2,
            parts.count == 1 || isNumber(parts[1], 1...3), let amount = Double(String(digits)),
            letters.utf8.count == 3,
            letters.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        self.init(amount: amount, currency: letters.uppercased())
    }
}
