/// Text that others wrote: names of sources, file names, answers of servers.
package enum UntrustedText {
    /// `text` on one line with control characters escaped, also those that turn the direction of writing: it must
    /// neither forge lines nor drive the terminal.
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

    /// Whether it is a control character, or one that breaks lines or turns the direction of writing; all of them stand in
    /// the basic plane.
    package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
