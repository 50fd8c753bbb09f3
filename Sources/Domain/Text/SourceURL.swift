/// Distinguishes URLs from paths among the locations of sources.
package enum SourceURL {
    /// Returns the scheme of `text` in lower case and without the colon; `nil` if `text` does not have the form of a
    /// URL. A scheme has at least two characters (RFC 3986, section 3.1, allows one).
    package static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard scheme.count >= 2, let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        return String(text[..<colon]).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
