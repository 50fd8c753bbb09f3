/// Text of external origin: names of sources, file names, responses of servers.
package enum UntrustedText {
    /// Returns `text` on one line with control characters and bidirectional controls escaped, so that it can neither
    /// forge lines nor control the terminal.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where mustBeEscaped(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Returns whether a scalar is a control character, a line separator or a bidirectional control. All of them are
    /// in the basic multilingual plane.
    package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true  // the general category Cc, which never changes
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// A text that equals only a text with the same bytes in UTF-8, for the keys of identifiers. `String` treats canonically
/// equivalent texts as equal (`é` composed and decomposed), which databases and files do not.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Compares by bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.precedesInBytes(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Ends the text, so that adjacent texts hash differently if divided differently.
        hasher.combine(0xFF as UInt8)
    }
}

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
