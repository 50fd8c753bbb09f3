/// Text of protocols and identifiers, read as the bytes of its UTF-8.
///
/// `String` divides text into grapheme clusters and treats canonically equivalent text as equal: a Prepend character and
/// the comma after it are one character, `K` equals the Kelvin sign, and `;` equals the Greek question mark. Peers and
/// databases treat text as bytes. None of these functions sees anything else.
extension StringProtocol where SubSequence == Substring, UTF8View: BidirectionalCollection {
    /// Returns the parts between occurrences of `separator`, an ASCII character, including the empty ones.
    package func parts(separatedBy separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
        let byte = UInt8(ascii: separator)
        return utf8.split(separator: byte, maxSplits: maxSplits, omittingEmptySubsequences: false).map {
            self[$0.startIndex..<$0.endIndex]
        }
    }

    /// The members of a list in a header (RFC 9110, section 5.6.1): the parts between commas without the white space
    /// around them. Empty ones are omitted.
    package var listMembers: [Substring] {
        parts(separatedBy: ",").map(\.withoutOuterBlanks).filter { !$0.isEmpty }
    }

    /// The text without the optional white space of headers at both ends: spaces and tabs (RFC 9110, section 5.6.3).
    package var withoutOuterBlanks: Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }

    /// Returns the rest of the text after `prefix`, or `nil` if it does not begin with its bytes.
    package func removingBytePrefix(_ prefix: String) -> Substring? {
        guard hasBytePrefix(prefix) else { return nil }
        return self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...]
    }
}

extension StringProtocol {
    /// Returns whether the UTF-8 of both texts is equal.
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        compareBytes(with: other) { $0.elementsEqual($1) } ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the UTF-8 of the text is ordered before that of `other`.
    package func precedesInBytes(_ other: some StringProtocol) -> Bool {
        compareBytes(with: other) { $0.lexicographicallyPrecedes($1) } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Compares the bytes of both texts, faster than their views, which have iterators; `nil` for a text without such bytes.
    private func compareBytes(
        with other: some StringProtocol, _ compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { unsafe compare(own, $0) }
        } ?? nil
    }

    /// Returns whether the UTF-8 of the text begins with that of `prefix`.
    package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Returns whether the UTF-8 of the text ends with that of `suffix`.
    package func hasByteSuffix(_ suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// Returns whether the UTF-8 of the text contains that of `other`.
    package func containsBytes(of other: some StringProtocol) -> Bool { utf8.firstRange(of: other.utf8) != nil }

    /// Returns whether both texts are equal except for the case of ASCII letters, as names and tokens of protocols are.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { Self.asciiLowercased($0) == Self.asciiLowercased($1) }
    }

    /// The text without the white space of Unicode, such as that around a pasted text.
    package var withoutWhiteSpace: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !$0.properties.isWhitespace }))
    }

    /// The number that the text states in ASCII digits, at most `Int64.max`; `nil` for any other text.
    package var unsignedDecimal: Int64? {
        guard !isEmpty, utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(self) ?? .max
    }

    /// The text with ASCII letters in lower case; all other bytes are unchanged.
    package var asciiLowercased: String {
        // UTF-8 remains valid, because only ASCII changes.
        String(decoding: utf8.map(Self.asciiLowercased), as: UTF8.self)
    }

    private static func asciiLowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The text without the spaces at both ends. Other white space is kept.
    package var withoutOuterSpaces: String { withoutEnds(where: { $0 == " " }) }

    /// Returns the text without the characters at both ends that satisfy `isLeftOut`.
    package func withoutEnds(where isLeftOut: (Character) -> Bool) -> String {
        let rest = drop(while: isLeftOut)
        guard let last = rest.lastIndex(where: { !isLeftOut($0) }) else { return "" }
        return String(rest[...last])
    }

    /// Returns the text, or its first `count` characters and an ellipsis if it is longer.
    package func shortened(to count: Int) -> String {
        let start = prefix(count)
        return start.endIndex == endIndex ? String(self) : start + "…"
    }
}
