/// The price of a pair of shoes.
package struct ShoePrice: Sendable, Hashable {
    /// The amount in whole units of the currency, with at most three decimals.
    package let amount: Double
    /// Three capital letters (ISO 4217).
    package let currency: String

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
