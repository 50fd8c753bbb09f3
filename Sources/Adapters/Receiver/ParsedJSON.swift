import CHealthSyncJSON
import Foundation

/// A value in a parsed JSON text. Valid only within the closure that received it.
// Safe because JSONDocument.read closes the text only after the closure has returned.
@safe struct ParsedJSON {
    private let value: healthsync_json_value

    init(_ value: healthsync_json_value) { unsafe self.value = value }

    var isNull: Bool { unsafe healthsync_json_kind_of(value) == healthsync_json_null }
    var isArray: Bool { unsafe healthsync_json_kind_of(value) == healthsync_json_array }
    var isObject: Bool { unsafe healthsync_json_kind_of(value) == healthsync_json_object }

    /// The largest integer that every JSON parser reads exactly: 2^53 - 1.
    static let largestExactInteger: Int64 = 1 << 53 - 1

    /// The integer, also if written with a zero fraction (`1.0`); `nil` for other values.
    var integer: Int64? {
        switch unsafe healthsync_json_kind_of(value) {
        case healthsync_json_integer: unsafe healthsync_json_integer_of(value)
        case healthsync_json_number: Int64(exactly: unsafe healthsync_json_number_of(value))
        default: nil
        }
    }

    /// The number, always finite; `nil` for other values.
    var number: Double? {
        switch unsafe healthsync_json_kind_of(value) {
        case healthsync_json_integer, healthsync_json_number: unsafe healthsync_json_number_of(value)
        default: nil
        }
    }

    /// The Boolean; `nil` for other values.
    var bool: Bool? {
        unsafe healthsync_json_kind_of(value) == healthsync_json_bool ? unsafe healthsync_json_bool_of(value) : nil
    }

    /// The string; `nil` for other values.
    var string: String? { unsafe withUTF8 { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Returns whether the value is the string `text`, compared by bytes.
    func isString(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { expected in
            unsafe withUTF8 { found in
                unsafe found.count == expected.count && found.elementsEqual(expected)
            } ?? false
        }
    }

    /// Calls `body` with the string's bytes and returns its result, or `nil` for other values.
    func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard unsafe healthsync_json_kind_of(value) == healthsync_json_string else { return nil }
        var length = 0
        let start = unsafe healthsync_json_string_of(value, &length)
        return unsafe UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
            unsafe body($0)
        }
    }

    /// Calls `body` with each element of an array; does nothing for other values.
    func forEachElement(_ body: (ParsedJSON) throws -> Void) rethrows {
        guard isArray else { return }
        var cursor = unsafe healthsync_json_elements(value)
        var element = unsafe healthsync_json_value()
        while unsafe healthsync_json_next_element(&cursor, &element) { try body(unsafe ParsedJSON(element)) }
    }

    /// Calls `body` with each member of an object, including repeated names; does nothing for other values.
    func forEachMember(_ body: (JSONName, ParsedJSON) throws -> Void) rethrows {
        guard isObject else { return }
        var cursor = unsafe healthsync_json_members(value)
        var name: UnsafePointer<CChar>?
        var length = 0
        var member = unsafe healthsync_json_value()
        while unsafe healthsync_json_next_member(&cursor, &name, &length, &member) {
            try body(unsafe JSONName(UnsafeRawBufferPointer(start: name, count: length)), unsafe ParsedJSON(member))
        }
    }

    /// The last member named `name`; `nil` if no such member exists.
    subscript(name: StaticString) -> ParsedJSON? {
        var found: ParsedJSON?
        forEachMember { if $0 == name { found = $1 } }
        return found
    }
}

/// The name of a member in a parsed JSON text. Valid only within the closure that received it.
// Safe because JSONDocument.read closes the text only after the closure has returned.
@safe struct JSONName {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// Returns whether the name is `right`, compared by bytes.
    static func == (left: JSONName, right: StaticString) -> Bool {
        let count = right.utf8CodeUnitCount
        guard unsafe left.bytes.count == count else { return false }
        guard count > 0, let start = unsafe left.bytes.baseAddress else { return count == 0 }
        return unsafe memcmp(start, right.utf8Start, count) == 0
    }
}

/// The error for bytes that are not exactly one JSON value.
struct InvalidJSON: Error {}

/// Parses JSON with simdjson.
enum JSONDocument {
    /// Returns whether `bytes` contain more than `limit` values. Parsing needs memory for each value, some of which take
    /// only two bytes of the text.
    static func hasMoreValues(_ bytes: [UInt8], than limit: Int) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe healthsync_json_exceeds($0.baseAddress, $0.count, limit) }
    }

    /// Parses `bytes` and calls `body` with the root value, which is valid only until `body` returns.
    static func read<Result>(_ bytes: [UInt8], _ body: (ParsedJSON) throws -> Result) throws -> Result {
        var root = unsafe healthsync_json_value()
        let text = unsafe bytes.withUnsafeBufferPointer {
            unsafe healthsync_json_open($0.baseAddress, $0.count, &root)
        }
        guard let text = unsafe text else { throw InvalidJSON() }
        defer { unsafe healthsync_json_close(text) }
        return try body(unsafe ParsedJSON(root))
    }
}
