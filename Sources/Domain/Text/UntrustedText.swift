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
