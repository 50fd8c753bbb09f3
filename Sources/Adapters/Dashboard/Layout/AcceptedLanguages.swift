import HealthSyncDomain

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
