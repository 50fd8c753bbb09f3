/// Appends numbers of given widths, lowest byte first.
struct LittleEndianWriter {
    private(set) var bytes: [UInt8] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func put(_ number: some FixedWidthInteger & UnsignedInteger, width: Int) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
    }

    /// Two bytes of length and the UTF-8, cut at 65,535 bytes.
    mutating func put(text: String) {
        let utf8 = Array(text.utf8.prefix(65_535))
        put(UInt16(utf8.count), width: 2)
        bytes.append(contentsOf: utf8)
    }
}

/// Reads numbers of given widths, lowest byte first; refuses to read behind the end.
struct LittleEndianReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(width: Int) throws(DamagedPage) -> UInt64 {
        guard bytes.count - position >= width else { throw DamagedPage() }
        var value: UInt64 = 0
        for index in 0..<width { value |= UInt64(bytes[position + index]) << UInt64(index * 8) }
        position += width
        return value
    }

    mutating func numbers<Element>(
        _ count: Int, width: Int, _ make: (UInt64) -> Element
    ) throws(DamagedPage) -> [Element] {
        guard (bytes.count - position) / width >= count else { throw DamagedPage() }
        var result: [Element] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(make(try number(width: width))) }
        return result
    }

    mutating func text() throws(DamagedPage) -> String {
        let length = Int(try number(width: 2))
        guard bytes.count - position >= length else { throw DamagedPage() }
        defer { position += length }
        return String(decoding: bytes[position..<position + length], as: UTF8.self)
    }
}
