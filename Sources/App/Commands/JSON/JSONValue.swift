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
