import HealthSyncDomain

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

    /// The currencies without a smaller unit (ISO 4217).
    private static let wholeCurrencies: Set = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]

    /// Returns an amount with the decimals of its currency, such as `1,234.50 EUR`.
    func money(_ amount: Double, _ currency: String) -> String {
        guard !Self.wholeCurrencies.contains(currency) else { return "\(rounded(amount, places: 0)) \(currency)" }
        let text = rounded(amount, places: 2)
        let decimals = text.split(separator: decimal).dropFirst().first?.count ?? 0
        return text + (decimals == 0 ? decimal : "") + String(repeating: "0", count: 2 - decimals) + " \(currency)"
    }

    /// Returns the duration of something that the program did: `1.3 s` or `1,3 s`.
    func exact(milliseconds: Int64) -> String {
        DurationText.exact(milliseconds: milliseconds).replacing(".", with: decimal)
    }

    /// Returns a number that a user wrote with these marks as Swift writes it: without groups, and with a point.
    func plain(_ text: String) -> String {
        var parts = text.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let marks = group == "\u{202F}" || group == "\u{A0}" ? [group, "\u{202F}", "\u{A0}", " "] : [group]
        for mark in marks {
            let groups = parts[0].split(separator: mark, omittingEmptySubsequences: false)
            let isGrouped =
                groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
            if isGrouped, groups[0].allSatisfy(\.isNumber) { parts[0] = groups.joined() }
        }
        return parts.joined(separator: ".")
    }

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

/// The languages in an `Accept-Language` header (RFC 9110, 12.5.4).
enum AcceptedLanguages {
    /// Returns the tags in lower case, by descending quality, equal ones in their order. Excludes languages with
    /// quality 0 and ranges with an invalid quality.
    static func tags(_ header: String) -> [String] {
        let ranges = header.listMembers.compactMap { range -> (tag: String, quality: Int)? in
            let parts = range.parts(separatedBy: ";").map { $0.withoutOuterBlanks.asciiLowercased }
            guard let tag = parts.first, !tag.isEmpty, let quality = quality(parts.dropFirst()), quality > 0 else {
                return nil
            }
            return (tag, quality)
        }
        return ranges.enumerated().sorted {
            ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset)
        }.map(\.element.tag)
    }

    /// Returns the quality in thousandths; `nil` if it is invalid.
    private static func quality(_ parameters: ArraySlice<String>) -> Int? {
        guard let text = parameters.lazy.compactMap({ $0.removingBytePrefix("q=") }).first else { return 1_000 }
        let sides = text.parts(separatedBy: ".", maxSplits: 1)
        let digits = sides.count == 2 ? sides[1] : ""
        guard sides[0] == "0" || sides[0] == "1", digits.utf8.count <= 3,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let thousandths = Int(digits + String(repeating: "0", count: 3 - digits.count))
        else { return nil }
        let quality = (sides[0] == "1" ? 1_000 : 0) + thousandths
        return quality <= 1_000 ? quality : nil
    }
}
