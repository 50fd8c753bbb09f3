import CHealthSyncJSON

/// A value in a JSON text that is being read. Good only within the closure it was given to.
// Points into the text, which outlives it: JSONText.read closes the text after the closure that is given values.
@safe struct JSONValue {
    private let place: healthsync_json_value

    init(_ place: healthsync_json_value) { unsafe self.place = place }

    var isNull: Bool { unsafe healthsync_json_kind_of(place) == healthsync_json_null }
    var isArray: Bool { unsafe healthsync_json_kind_of(place) == healthsync_json_array }
    var isObject: Bool { unsafe healthsync_json_kind_of(place) == healthsync_json_object }

    /// The largest whole number that every reader of JSON reads as it is written: 2^53 - 1.
    static let largestExactInteger: Int64 = 1 << 53 - 1

    /// The whole number, also where it is written with a fraction of zero; `nil` for anything else.
    var integer: Int64? {
        switch unsafe healthsync_json_kind_of(place) {
        case healthsync_json_integer: unsafe healthsync_json_integer_of(place)
        case healthsync_json_number: Int64(exactly: unsafe healthsync_json_number_of(place))
        default: nil
        }
    }

    /// The number, always finite; `nil` for anything else.
    var number: Double? {
        switch unsafe healthsync_json_kind_of(place) {
        case healthsync_json_integer, healthsync_json_number: unsafe healthsync_json_number_of(place)
        default: nil
        }
    }

    /// The truth value; `nil` for anything else.
    var bool: Bool? {
        unsafe healthsync_json_kind_of(place) == healthsync_json_bool ? unsafe healthsync_json_bool_of(place) : nil
    }

    /// The string; `nil` for anything else.
    var string: String? { unsafe withUTF8 { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Whether it is the string `text`, byte by byte.
    func isString(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { expected in
            unsafe withUTF8 { found in
                unsafe found.count == expected.count && found.elementsEqual(expected)
            } ?? false
        }
    }

    /// Calls `body` with the string's bytes; `nil` where it is no string.
    func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard unsafe healthsync_json_kind_of(place) == healthsync_json_string else { return nil }
        var length = 0
        let start = unsafe healthsync_json_string_of(place, &length)
        return unsafe UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
            unsafe body($0)
        }
    }

    /// Calls `body` with each element; no call where it is no array.
    func forEachElement(_ body: (JSONValue) throws -> Void) rethrows {
        guard isArray else { return }
        var cursor = unsafe healthsync_json_elements(place)
        var element = unsafe healthsync_json_value()
        while unsafe healthsync_json_next_element(&cursor, &element) { try body(unsafe JSONValue(element)) }
    }

    /// Calls `body` with each member; no call where it is no object. Of a name that stands twice both are given.
    func forEachMember(_ body: (JSONName, JSONValue) throws -> Void) rethrows {
        guard isObject else { return }
        var cursor = unsafe healthsync_json_members(place)
        var name: UnsafePointer<CChar>?
        var length = 0
        var value = unsafe healthsync_json_value()
        while unsafe healthsync_json_next_member(&cursor, &name, &length, &value) {
            try body(unsafe JSONName(UnsafeRawBufferPointer(start: name, count: length)), unsafe JSONValue(value))
        }
    }

    /// The last member of that name; `nil` where there is none.
    subscript(name: StaticString) -> JSONValue? {
        var found: JSONValue?
        forEachMember { if $0 == name { found = $1 } }
        return found
    }
}
