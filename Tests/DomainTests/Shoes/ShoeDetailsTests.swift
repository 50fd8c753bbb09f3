import HealthSyncDomain
import Testing

@Suite("Details of shoes")
struct ShoeDetailsTests {
    private let today = CalendarDay(ordinal: 19_737)

    @Test(
        "Prices are parsed",
        arguments: [
            ("139.95 EUR", 139.95, "EUR"), ("0 JPY", 0, "JPY"), ("12usd", 12, "USD"), ("1.234 kwd", 1.234, "KWD"),
        ])
    func price(text: String, amount: Double, currency: String) {
        #expect(ShoePrice(text) == ShoePrice(amount: amount, currency: currency))
    }

    @Test(
        "Malformed prices are rejected",
        arguments: [
            "", "139", "EUR", "-1 EUR", "1,5 EUR", "1. EUR", "1.2345 EUR", "1e3 EUR", "1 EU", "1 €", "12345678 EUR",
        ])
    func noPrice(text: String) { #expect(ShoePrice(text) == nil) }

    @Test("Names are trimmed")
    func trimmed() throws {
        let details = ShoeDetails(
            brand: " Ünder ", model: "Pegasus 40", emoji: "👟", color: "#0fF07A", purchasedOn: today)
        #expect(try details.checked(today: today).brand == "Ünder")
        for emoji in ["👟", "🏃🏽‍♀️", "❤️", "🇫🇷"] {
            #expect(try ShoeDetails(brand: "A", model: "B", emoji: emoji).checked(today: today).emoji == emoji)
        }
    }

    @Test("Invalid details are rejected", arguments: 0..<9)
    func refused(index: Int) {
        var details = ShoeDetails(brand: "A", model: "B")
        switch index {
        case 0: details.brand = "  "
        case 1: details.model = "a\u{1B}[2J"
        case 2: details.model = String(repeating: "x", count: 201)
        case 3: details.emoji = "A"
        case 4: details.emoji = "👟👟"
        case 5: details.emoji = "1"
        case 6: details.color = "#12345G"
        case 7: details.color = "red; x"
        default: details.purchasedOn = today.advanced(by: 1)
        }
        let failure = #expect(throws: SyncFailure.self) { try details.checked(today: today) }
        #expect(failure?.code == .usage)
    }
}
