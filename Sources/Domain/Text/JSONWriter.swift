/// A writer of compact JSON, member by member in the given order.
package struct JSONWriter: Sendable {
    private var text: JSONBytes
    private var needsComma = false

    /// Creates an empty text with capacity for `capacity` bytes.
    package init(reserving capacity: Int = 256) { text = JSONBytes(reserving: capacity) }

    /// The bytes written and not yet taken.
    package var bytes: [UInt8] { text.bytes }

    package mutating func beginObject() { open(0x7B) }
    package mutating func endObject() { close(0x7D) }
    package mutating func beginArray() { open(0x5B) }
    package mutating func endArray() { close(0x5D) }

    /// Writes the name of the next member, which must not need escaping.
    package mutating func name(_ name: StaticString) {
        separate()
        text.mark(0x22)
        text.raw(name)
        text.mark(0x22)
        text.mark(0x3A)
        needsComma = false
    }

    package mutating func null() { value { $0.raw("null") } }
    package mutating func bool(_ truth: Bool) { value { $0.raw(truth ? "true" : "false") } }
    package mutating func integer(_ number: Int) { integer(Int64(number)) }
    package mutating func integer(_ number: Int64) { value { $0.number(number) } }

    /// Writes a finite number, without a fraction if it is whole; otherwise `null`.
    package mutating func number(_ number: Double?) { value { $0.number(orNull: number) } }

    /// Writes a string or `null`.
    package mutating func string(_ string: String?) {
        guard let string else { return null() }
        value { $0.string(string) }
    }

    /// Writes an instant in UTC as RFC 3339.
    package mutating func time(_ instant: Instant) {
        value {
            $0.mark(0x22)
            $0.time(instant)
            $0.mark(0x22)
        }
    }

    /// Writes a value that is already JSON.
    package mutating func raw(_ json: [UInt8]) { value { $0.raw(json) } }

    /// Writes one or more members that are already JSON.
    package mutating func raw(_ json: ArraySlice<UInt8>) { value { $0.raw(json) } }

    /// Appends a fragment of JSON without a comma.
    package mutating func rawFragment(_ json: [UInt8]) { text.raw(json) }

    /// Returns what was written so far and clears the buffer; the text can be continued.
    package mutating func take() -> [UInt8] { text.take() }

    /// Ends a line of JSON Lines.
    package mutating func endLine() {
        text.mark(0x0A)
        needsComma = false
    }

    private mutating func value(_ write: (inout JSONBytes) -> Void) {
        separate()
        write(&text)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        text.mark(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        text.mark(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text.mark(0x2C) }
    }
}

/// JSON written directly as bytes, for texts with a fixed order of members. The output is compact, and equal values
/// produce equal bytes.
package struct JSONBytes: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty text with capacity for `count` bytes.
    package init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Appends bytes that are already JSON.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes that are already JSON.
    package mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Appends bytes that are already JSON.
    package mutating func raw(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends a structural character.
    package mutating func mark(_ mark: UInt8) { bytes.append(mark) }

    /// Appends a string with quotation marks. Escapes only what RFC 8259 requires.
    package mutating func string(_ text: String) {
        var text = text
        bytes.append(0x22)
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { escaped(byte) }
            }
        }
        bytes.append(0x22)
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C:
            bytes.append(0x5C)
            bytes.append(byte)
        case 0..<0x20:
            raw("\\u00")
            bytes.append(HexDigits.digit(byte >> 4))
            bytes.append(HexDigits.digit(byte))
        default: bytes.append(byte)
        }
    }

    /// Appends an integer.
    package mutating func number(_ value: Int64) { bytes.append(decimal: value) }

    /// Appends a number as formatted by `CanonicalNumber`. JSON cannot represent infinities and NaN; they become
    /// null.
    package mutating func number(_ value: Double) {
        if value.isFinite { CanonicalNumber.append(value, to: &bytes) } else { raw("null") }
    }

    /// Appends a number or null.
    package mutating func number(orNull value: Double?) {
        if let value { number(value) } else { raw("null") }
    }

    /// Appends an instant in UTC, without quotation marks.
    package mutating func time(_ instant: Instant) { RFC3339.append(instant, to: &bytes) }

    /// Appends a UUID in the 8-4-4-4-12 form, without quotation marks.
    package mutating func uuid(high: UInt64, low: UInt64) {
        for (index, word) in [high >> 32, high >> 16 & 0xFFFF, high & 0xFFFF, low >> 48].enumerated() {
            HexDigits.append(word, digits: index == 0 ? 8 : 4, to: &bytes)
            bytes.append(0x2D)
        }
        HexDigits.append(low & 0xFFFF_FFFF_FFFF, digits: 12, to: &bytes)
    }

    /// Appends `[element,element]`.
    @inlinable
    package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONBytes, Element) -> Void) {
        mark(0x5B)
        var isFirst = true
        for element in elements {
            if !isFirst { mark(0x2C) }
            isFirst = false
            write(&self, element)
        }
        mark(0x5D)
    }

    /// Returns what was written so far and clears the text, keeping its capacity.
    package mutating func take() -> [UInt8] {
        let taken = bytes
        bytes.removeAll(keepingCapacity: true)
        return taken
    }
}
