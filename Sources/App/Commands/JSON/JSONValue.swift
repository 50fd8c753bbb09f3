import HealthSyncDomain

/// A JSON value whose objects keep the order of their members, so that equal results give equal bytes.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue
    }

    /// Returns an object with a member for each pair, in the order of `pairs`.
    static func object<Value: JSONEncodable>(of pairs: [(key: String, value: Value)]) -> JSONValue {
        .object(pairs.map { Member(name: $0.key, value: $0.value.json) })
    }

    /// Returns an object with the members of `objects`, in that order.
    static func joined(_ objects: JSONValue...) -> JSONValue { .object(objects.flatMap(\.members)) }

    /// The members of an object; empty for any other value.
    private var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// Returns the value of a member, or `nil` if it does not exist.
    package subscript(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Returns milliseconds as fractional minutes; null for `nil`.
    static func minutes(_ milliseconds: Double?) -> JSONValue { milliseconds.map { $0 / 60_000 }.json }

    /// Returns milliseconds as fractional minutes; null for `nil`.
    static func minutes(_ milliseconds: Int64?) -> JSONValue { minutes(milliseconds.map { Double($0) }) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral

{
    package init(dictionaryLiteral elements: (String, any JSONEncodable)...) {
        self = .object(elements.map { Member(name: $0, value: $1.json) })
    }

    package init(arrayLiteral elements: any JSONEncodable...) { self = .array(elements.map(\.json)) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

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
