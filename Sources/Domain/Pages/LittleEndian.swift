/// Appends numbers of 1, 2, 4 or 8 bytes in little-endian order.
struct LittleEndianWriter {
    private(set) var bytes: [UInt8] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func put(_ number: some FixedWidthInteger & UnsignedInteger, width: Int) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
    }

    /// Appends a number in 1 to 10 bytes: 7 bits a byte, the lowest first, with the highest bit set in all but the last.
    mutating func put(variable number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends the UTF-8 with a length prefix of two bytes, truncated to 65,535 bytes.
    mutating func put(text: String) {
        let utf8 = Array(text.utf8.prefix(65_535))
        put(UInt16(utf8.count), width: 2)
        bytes.append(contentsOf: utf8)
    }

    /// Appends `count` numbers, each truncated to `width` bytes.
    mutating func putColumn(_ count: Int, width: Int, _ number: (Int) -> UInt64) {
        switch width {
        case 1: putColumn(count, as: UInt8.self, number)
        case 2: putColumn(count, as: UInt16.self, number)
        case 3:
            for index in 0..<count {
                let value = number(index)
                bytes.append(UInt8(truncatingIfNeeded: value))
                bytes.append(UInt8(truncatingIfNeeded: value >> 8))
                bytes.append(UInt8(truncatingIfNeeded: value >> 16))
            }
        case 4: putColumn(count, as: UInt32.self, number)
        default: putColumn(count, as: UInt64.self, number)
        }
    }

    private mutating func putColumn<Number: FixedWidthInteger & BitwiseCopyable>(
        _ count: Int, as type: Number.Type, _ number: (Int) -> UInt64
    ) {
        let size = MemoryLayout<Number>.size
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count * size))
        bytes.withUnsafeMutableBytes { raw in
            for index in 0..<count {
                raw.storeBytes(
                    of: Number(truncatingIfNeeded: number(index)).littleEndian, toByteOffset: start + index * size,
                    as: Number.self)
            }
        }
    }
}

/// Reads numbers of 1, 2, 4 or 8 bytes in little-endian order. Throws `DamagedPage` at the end of the bytes.
struct LittleEndianReader {
    private let bytes: [UInt8]
    /// The number of bytes that were read.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Skips a number of bytes.
    mutating func skip(_ count: Int) throws(DamagedPage) {
        guard bytes.count - position >= count else { throw DamagedPage() }
        position += count
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(width: Int) throws(DamagedPage) -> UInt64 {
        guard bytes.count - position >= width else { throw DamagedPage() }
        var value: UInt64 = 0
        for index in 0..<width { value |= UInt64(bytes[position + index]) << UInt64(index * 8) }
        position += width
        return value
    }

    /// Reads a number that `put(variable:)` wrote.
    mutating func variable() throws(DamagedPage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try number(width: 1)
            // The tenth byte has the highest bit only.
            guard shift < 63 || byte <= 1 else { throw DamagedPage() }
            value |= (byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw DamagedPage()
    }

    /// Returns `count` numbers of `width` bytes, each converted by `make`.
    mutating func column<Element>(
        _ count: Int, width: Int, _ make: (UInt64) -> Element
    ) throws(DamagedPage) -> [Element] {
        var elements: [Element] = []
        try column(count, width: width, onto: &elements, make)
        return elements
    }

    /// Appends `count` numbers of `width` bytes to `elements`, each converted by `make`.
    mutating func column<Element>(
        _ count: Int, width: Int, onto elements: inout [Element], _ make: (UInt64) -> Element
    ) throws(DamagedPage) {
        guard (bytes.count - position) / width >= count else { throw DamagedPage() }
        defer { position += count * width }
        switch width {
        case 1: column(count, as: UInt8.self, onto: &elements, make)
        case 2: column(count, as: UInt16.self, onto: &elements, make)
        case 3:
            elements.reserveCapacity(elements.count + count)
            for place in stride(from: position, to: position + count * width, by: width) {
                elements.append(
                    make(UInt64(bytes[place]) | UInt64(bytes[place + 1]) << 8 | UInt64(bytes[place + 2]) << 16))
            }
        case 4: column(count, as: UInt32.self, onto: &elements, make)
        default: column(count, as: UInt64.self, onto: &elements, make)
        }
    }

    private func column<Number: FixedWidthInteger & BitwiseCopyable, Element>(
        _ count: Int, as type: Number.Type, onto elements: inout [Element], _ make: (UInt64) -> Element
    ) {
        let size = MemoryLayout<Number>.size
        if elements.isEmpty { elements.reserveCapacity(count) }
        bytes.withUnsafeBytes { raw in
            for index in 0..<count {
                let number = raw.loadUnaligned(fromByteOffset: position + index * size, as: Number.self)
                elements.append(make(UInt64(truncatingIfNeeded: Number(littleEndian: number))))
            }
        }
    }

    mutating func text() throws(DamagedPage) -> String { try text(length: Int(try number(width: 2))) }

    /// Reads text of `length` bytes.
    mutating func text(length: Int) throws(DamagedPage) -> String {
        guard bytes.count - position >= length else { throw DamagedPage() }
        defer { position += length }
        return String(decoding: bytes[position..<position + length], as: UTF8.self)
    }
}
