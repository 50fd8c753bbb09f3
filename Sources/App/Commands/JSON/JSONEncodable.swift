package import HealthSyncDomain

/// A value that has a form in JSON documents. An object is written as a literal that contains such values:
/// `["day": day, "steps": figures.steps]`.
///
/// The literal is the contract of a document: it contains the names and the order of the members. `Encodable` would
/// derive them from the names of Swift properties (docs/decisions/0036-json-documents-are-literals.md).
package protocol JSONEncodable {
    var json: JSONValue { get }
}

extension JSONValue: JSONEncodable {
    package var json: JSONValue { self }
}

extension String: JSONEncodable {
    package var json: JSONValue { .string(self) }
}

extension Bool: JSONEncodable {
    package var json: JSONValue { .bool(self) }
}

extension Int: JSONEncodable {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Int32: JSONEncodable {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONEncodable {
    package var json: JSONValue { .integer(self) }
}

extension Double: JSONEncodable {
    package var json: JSONValue { .number(self) }
}

/// `nil` is null.
extension Optional: JSONEncodable where Wrapped: JSONEncodable {
    package var json: JSONValue { map(\.json) ?? .null }
}

extension Array: JSONEncodable where Element: JSONEncodable {
    package var json: JSONValue { .array(map(\.json)) }
}

/// `2024-01-15`.
extension CalendarDay: JSONEncodable {
    package var json: JSONValue { .string("\(self)") }
}

/// The first and the last day.
extension DayRange: JSONEncodable {
    package var json: JSONValue { ["first": first, "last": last] }
}

/// UTC in RFC 3339.
extension Instant: JSONEncodable {
    package var json: JSONValue { .string(RFC3339.string(self)) }
}
