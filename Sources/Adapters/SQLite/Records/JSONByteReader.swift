import HealthSyncDomain

/// Text in a table that is not as `JSONBytes` writes it.
struct UnexpectedJSON: Error {}

/// Reads back what `JSONBytes` wrote: the same members in the same order and nothing else.
struct JSONByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether everything was read.
    var isAtEnd: Bool { position == bytes.count }

    /// Goes past `text` if it stands here.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        let isHere = text.withUTF8Buffer { expected in
            unsafe bytes[position..<position + count].elementsEqual(expected)
        }
        if isHere { position += count }
        return isHere
    }

    /// Goes past `text`, which must stand here.
    mutating func expect(_ text: StaticString) throws(UnexpectedJSON) {
        guard skip(text) else { throw UnexpectedJSON() }
    }

    mutating func integer() throws(UnexpectedJSON) -> Int64 {
        guard let value = Int64(numberText()) else { throw UnexpectedJSON() }
        return value
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

    /// Digits without sign, fraction or exponent, few enough to be exact; most numbers here are.
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

    /// Leaves the position on the last byte of the escape.
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
    /// The next column, a text that `JSONByteReader` reads.
    func json() throws(UnexpectedJSON) -> [UInt8] {
        do { return try utf8() } catch { throw UnexpectedJSON() }
    }
}
