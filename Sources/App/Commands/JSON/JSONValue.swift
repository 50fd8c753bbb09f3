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

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the value of a member, or `nil` if it does not exist.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Returns a string, or null for `nil`.
    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// Returns a number, or null for `nil`.
    package static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }

    /// Returns milliseconds as fractional minutes.
    static func minutes(_ milliseconds: Double) -> JSONValue { .number(milliseconds / 60_000) }

    /// Returns milliseconds as fractional minutes.
    static func minutes(_ milliseconds: Int64) -> JSONValue { minutes(Double(milliseconds)) }

    /// Returns a count.
    package static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0, value: $1) })
    }

    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
}
