import HealthSyncDomain

/// The error for text that `JSONBytes` would not have written.
struct UnexpectedJSON: Error {}

/// A reader of the output of `JSONBytes`: the same members in the same order and nothing else.
struct JSONByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a text that is one array.
    static func elements<Element>(
        of text: [UInt8], _ read: (inout JSONByteReader) throws(UnexpectedJSON) -> Element
    ) throws(UnexpectedJSON) -> [Element] {
        var reader = JSONByteReader(text)
        let elements = try reader.array(read)
        guard reader.position == text.count else { throw UnexpectedJSON() }
        return elements
    }

    /// Skips `text` if it is next; returns whether it was.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        let isHere = text.withUTF8Buffer { expected in
            unsafe bytes[position..<position + count].elementsEqual(expected)
        }
        if isHere { position += count }
        return isHere
    }

    /// Skips `text`, which must be next.
    mutating func expect(_ text: StaticString) throws(UnexpectedJSON) {
        guard skip(text) else { throw UnexpectedJSON() }
    }

    /// Reads an integer of at most 53 bits, so that sums and differences cannot overflow.
    mutating func integer() throws(UnexpectedJSON) -> Int64 {
        guard let value = Int64(numberText()), value.magnitude <= 1 << 53 else { throw UnexpectedJSON() }
        return value
    }

    /// Reads milliseconds since 1970, in the years 1 to 9999.
    mutating func instant() throws(UnexpectedJSON) -> Instant {
        let instant = Instant(milliseconds: try integer())
        guard instant.isRepresentable else { throw UnexpectedJSON() }
        return instant
    }

    mutating func number() throws(UnexpectedJSON) -> Double {
        if let small = smallInteger() { return small }
        guard let value = Double(numberText()), value.isFinite else { throw UnexpectedJSON() }
        return value
    }

    mutating func string() throws(UnexpectedJSON) -> String {
        try expect("\"")
        let start = position
        while position < bytes.count, bytes[position] != 0x22, bytes[position] != 0x5C { position += 1 }
        guard position < bytes.count else { throw UnexpectedJSON() }
        if bytes[position] == 0x22 {
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] != 0x22 {
            if bytes[position] == 0x5C { text.append(try escaped()) } else { text.append(bytes[position]) }
            position += 1
        }
        try expect("\"")
        return String(decoding: text, as: UTF8.self)
    }

    mutating func array<Element>(
        _ read: (inout JSONByteReader) throws(UnexpectedJSON) -> Element
    ) throws(UnexpectedJSON) -> [Element] {
        try expect("[")
        var elements: [Element] = []
        if skip("]") { return elements }
        repeat { elements.append(try read(&self)) } while skip(",")
        try expect("]")
        return elements
    }

    /// Reads digits without sign, fraction or exponent, few enough to be exact, as most numbers are.
    private mutating func smallInteger() -> Double? {
        var value: Int64 = 0
        var end = position
        while end < bytes.count, bytes[end] &- 0x30 < 10, end - position < 16 {
            value = value * 10 + Int64(bytes[end] - 0x30)
            end += 1
        }
        guard end > position, end < bytes.count, bytes[end] == 0x2C || bytes[end] == 0x7D || bytes[end] == 0x5D,
            value < 1 << 53
        else { return nil }
        position = end
        return Double(value)
    }

    private mutating func numberText() -> String {
        let start = position
        while position < bytes.count, bytes[position] != 0x2C, bytes[position] != 0x7D, bytes[position] != 0x5D {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads an escape and leaves the position at its last byte.
    private mutating func escaped() throws(UnexpectedJSON) -> UInt8 {
        position += 1
        guard position < bytes.count else { throw UnexpectedJSON() }
        guard bytes[position] == 0x75 else { return bytes[position] }
        guard bytes.count - position > 4,
            let value = UInt8(String(decoding: bytes[position + 1...position + 4], as: UTF8.self), radix: 16)
        else { throw UnexpectedJSON() }
        position += 4
        return value
    }
}

extension SQLiteStatement {
    /// Reads the next column: text for `JSONByteReader`.
    func json() throws(UnexpectedJSON) -> [UInt8] {
        do { return try utf8() } catch { throw UnexpectedJSON() }
    }
}
