/// JSON written straight into bytes, for texts whose members always stand in the same order: compact, equal values give
/// equal bytes.
package struct JSONBytes: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// An empty text with room for `count` bytes.
    package init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Bytes that are JSON already.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Bytes that are JSON already.
    package mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Bytes that are JSON already.
    package mutating func raw(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// A mark of JSON.
    mutating func mark(_ mark: UInt8) { bytes.append(mark) }

    /// A string with quotation marks: only what RFC 8259 asks for is escaped.
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

    /// An integer.
    package mutating func number(_ value: Int64) { bytes.append(decimal: value) }

    /// A number as `CanonicalNumber` writes it. JSON has no word for what is not finite: null.
    package mutating func number(_ value: Double) {
        if value.isFinite { CanonicalNumber.append(value, to: &bytes) } else { raw("null") }
    }

    /// A number, or null.
    package mutating func number(orNull value: Double?) {
        if let value { number(value) } else { raw("null") }
    }

    /// An instant in UTC, without quotation marks.
    package mutating func time(_ instant: Instant) { RFC3339.append(instant, to: &bytes) }

    /// An id in the 8-4-4-4-12 form, without quotation marks.
    package mutating func id(_ id: SampleID) {
        for (index, word) in [id.high >> 32, id.high >> 16 & 0xFFFF, id.high & 0xFFFF, id.low >> 48].enumerated() {
            HexDigits.append(word, digits: index == 0 ? 8 : 4, to: &bytes)
            bytes.append(0x2D)
        }
        HexDigits.append(id.low & 0xFFFF_FFFF_FFFF, digits: 12, to: &bytes)
    }

    /// `[element,element]`.
    package mutating func array<Element>(_ elements: [Element], _ write: (inout JSONBytes, Element) -> Void) {
        bytes.append(0x5B)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            write(&self, element)
        }
        bytes.append(0x5D)
    }

    /// Takes what was written so far and goes on empty, with the room kept.
    package mutating func take() -> [UInt8] {
        let taken = bytes
        bytes.removeAll(keepingCapacity: true)
        return taken
    }
}
