/// The encoding of a page of received samples. docs/server.md documents the layout. The first byte is the version.
/// Numbers are little-endian, ids big-endian.
package enum ReceivedPageCodec {
    static let version: UInt64 = 1
    /// The format of a column of IEEE 754 doubles. Other formats are the number of bytes of each number, which is added
    /// to the column's base.
    static let doubles: UInt8 = 9

    /// Encodes ids in 16 bytes each.
    package static func encode(ids: [SampleID]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: ids.count * 16) { buffer, filled in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for (index, id) in ids.enumerated() {
                raw.storeBytes(of: id.high.bigEndian, toByteOffset: index * 16, as: UInt64.self)
                raw.storeBytes(of: id.low.bigEndian, toByteOffset: index * 16 + 8, as: UInt64.self)
            }
            filled = ids.count * 16
        }
    }

    /// Decodes ids of 16 bytes each; throws `DamagedPage` if the last one is incomplete.
    package static func ids(_ bytes: [UInt8]) throws(DamagedPage) -> [SampleID] {
        guard bytes.count % 16 == 0 else { throw DamagedPage() }
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 16).map { index in
                SampleID(
                    high: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 16, as: UInt64.self)),
                    low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 16 + 8, as: UInt64.self)))
            }
        }
    }

    /// Decodes the id at `index` of ids of 16 bytes each.
    package static func id(_ bytes: [UInt8], at index: Int) -> SampleID {
        bytes.withUnsafeBytes { raw in
            SampleID(
                high: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 16, as: UInt64.self)),
                low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 16 + 8, as: UInt64.self)))
        }
    }

    /// Encodes everything except the ids.
    package static func encode(_ columns: ReceivedColumns) -> [UInt8] {
        var writer = LittleEndianWriter()
        writer.reserve(64 + columns.count * 16)
        writer.put(version, width: 1)
        writer.put(UInt32(truncatingIfNeeded: columns.count), width: 4)
        put(columns.starts, to: &writer)
        put(columns.lengths, to: &writer)
        put(columns.values, to: &writer)
        put(columns.origins, to: &writer)
        put(columns.revisions, to: &writer)
        put(columns.marks.map { Int64($0.rawValue) }, to: &writer)
        return writer.bytes
    }

    /// Decodes a page; throws `DamagedPage` for bytes that `encode` cannot have written.
    package static func decode(_ bytes: [UInt8], ids: [SampleID]) throws(DamagedPage) -> ReceivedColumns {
        var reader = LittleEndianReader(bytes)
        guard try reader.number(width: 1) == version, try reader.number(width: 4) == UInt64(ids.count) else {
            throw DamagedPage()
        }
        var columns = ReceivedColumns()
        columns.ids = ids
        columns.starts = try integers(ids.count, from: &reader)
        columns.lengths = try integers(ids.count, from: &reader)
        columns.values = try values(ids.count, from: &reader)
        columns.origins = try integers(ids.count, from: &reader)
        columns.revisions = try integers(ids.count, from: &reader)
        columns.marks = try integers(ids.count, from: &reader).map {
            ReceivedMarks(rawValue: UInt8(truncatingIfNeeded: $0))
        }
        guard reader.isAtEnd, columns.starts.allSatisfy(extent.contains),
            columns.lengths.allSatisfy({ $0 >= 0 && extent.contains($0) })
        else { throw DamagedPage() }
        return columns
    }

    /// The range of times, so that the sum of two cannot overflow.
    static let extent: ClosedRange<Int64> = -(1 << 61)...1 << 61

    private static func put(_ column: [Int64], to writer: inout LittleEndianWriter) {
        let base = column.min() ?? 0
        let width = width(UInt64(bitPattern: (column.max() ?? 0) &- base))
        writer.put(UInt8(width), width: 1)
        writer.put(UInt64(bitPattern: base), width: 8)
        if width > 0 { writer.putColumn(column.count, width: width) { UInt64(bitPattern: column[$0] &- base) } }
    }

    private static func put(_ column: [Double], to writer: inout LittleEndianWriter) {
        var integers: [Int64] = []
        integers.reserveCapacity(column.count)
        for value in column {
            guard let integer = Int64(exactly: value), integer != 0 || value.sign == .plus else { break }
            integers.append(integer)
        }
        if integers.count == column.count { return put(integers, to: &writer) }
        writer.put(doubles, width: 1)
        writer.putColumn(column.count, width: 8) { column[$0].bitPattern }
    }

    private static func width(_ largest: UInt64) -> Int {
        switch largest {
        case 0: 0
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    static func integers(
        _ count: Int, from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> [Int64] {
        let width = Int(try reader.number(width: 1))
        guard [0, 1, 2, 4, 8].contains(width) else { throw DamagedPage() }
        return try integers(count, width: width, from: &reader)
    }

    private static func integers(
        _ count: Int, width: Int, from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> [Int64] {
        let base = Int64(bitPattern: try reader.number(width: 8))
        guard width > 0 else { return [Int64](repeating: base, count: count) }
        return try reader.column(count, width: width) { base &+ Int64(bitPattern: $0) }
    }

    private static func values(_ count: Int, from reader: inout LittleEndianReader) throws(DamagedPage) -> [Double] {
        let form = UInt8(truncatingIfNeeded: try reader.number(width: 1))
        if form == doubles { return try reader.column(count, width: 8) { Double(bitPattern: $0) } }
        guard [0, 1, 2, 4, 8].contains(form) else { throw DamagedPage() }
        return try integers(count, width: Int(form), from: &reader).map { Double($0) }
    }
}
