import HealthSyncDomain

/// Serializes JSON values.
package enum JSONText {
    /// Returns `value` on several lines with an indentation of two spaces and a final line feed.
    package static func document(_ value: JSONValue) -> String { text(value, indentation: "\n") + "\n" }

    /// Returns `value` on one line.
    package static func line(_ value: JSONValue) -> String { text(value, indentation: nil) }

    private static func text(_ value: JSONValue, indentation: String?) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): truth ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): self.number(number)
        case .string(let string): quoted(string)
        case .array(let elements):
            bracketed("[", elements.map { text($0, indentation: indentation.map { $0 + "  " }) }, "]", indentation)
        case .object(let members):
            bracketed(
                "{",
                members.map { member in
                    quoted(member.name) + (indentation == nil ? ":" : ": ")
                        + text(member.value, indentation: indentation.map { $0 + "  " })
                }, "}", indentation)
        }
    }

    private static func bracketed(_ open: String, _ parts: [String], _ close: String, _ indentation: String?) -> String
    {
        guard !parts.isEmpty else { return open + close }
        guard let indentation else { return open + parts.joined(separator: ",") + close }
        return open + indentation + "  " + parts.joined(separator: "," + indentation + "  ") + indentation + close
    }

    /// Returns `null` for infinite numbers and NaN, which JSON cannot represent.
    private static func number(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let integer = Int64(exactly: number) { return String(integer) }
        return number.description
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where UntrustedText.mustBeEscaped(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
