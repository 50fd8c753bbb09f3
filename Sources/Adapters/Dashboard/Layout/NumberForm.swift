/// The decimal and grouping marks of a language.
struct NumberForm: Sendable, Hashable {
    /// The decimal mark.
    let decimal: String
    /// The mark between groups of three digits.
    let group: String

    /// Creates the marks of the first known language in an `Accept-Language` header, by preference; otherwise the
    /// English ones.
    init(language: String) {
        let known = AcceptedLanguages.tags(language).lazy.compactMap { Self.form(of: $0) }.first
        (decimal, group) = known ?? (".", ",")
    }

    private static func form(of tag: String) -> (String, String)? {
        if ["de-ch", "de-li", "it-ch"].contains(tag) { return (".", "\u{2019}") }
        switch tag.prefix(while: { $0 != "-" }) {
        case "en", "zh", "ja", "ko", "th", "he": return (".", ",")
        case "de", "nl", "da", "it", "es", "pt", "id", "tr", "el", "hr", "sl", "ro": return (",", ".")
        case "fr": return (",", "\u{202F}")
        case "sv", "nb", "no", "fi", "pl", "cs", "sk", "hu", "ru", "uk", "bg": return (",", "\u{A0}")
        default: return nil
        }
    }

    /// Returns a whole number in groups.
    func whole(_ number: Double) -> String { rounded(number, places: 0) }

    /// Returns a number rounded to `places` decimals, without trailing zeros.
    func rounded(_ number: Double, places: Int = 1) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((number * Double(scale)).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        var text = (scaled < 0 ? "-" : "") + grouped(whole)
        if rest > 0 {
            var digits = String(rest)
            digits = String(repeating: "0", count: places - digits.count) + digits
            while digits.hasSuffix("0") { digits.removeLast() }
            text += decimal + digits
        }
        return text
    }

    /// Returns the label of a mark on an axis: `400k` or `1.5M` from 10,000 up, if that is exact.
    func mark(_ number: Double, places: Int = 0) -> String {
        for (size, letter) in [(1_000_000.0, "M"), (1_000.0, "k")]
        where number.magnitude >= max(size, 10_000) && number.magnitude < 1e15 {
            let thousandths = number / size * 1_000
            if thousandths == thousandths.rounded() { return rounded(number / size, places: 3) + letter }
        }
        return rounded(number, places: places)
    }

    private func grouped(_ number: UInt) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += group }
            text.append(digit)
        }
        return text
    }
}
