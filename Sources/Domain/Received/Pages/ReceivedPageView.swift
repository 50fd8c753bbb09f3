/// The columns of a page of received samples, read in place: the starts are decoded, and other members of a sample when they
/// are needed. Of most pages that a digest reads it needs few samples.
package struct ReceivedPageView: Sendable {
    /// A column of numbers that are read in place.
    private struct Column {
        /// The number of bytes of each number; 9 for IEEE 754 doubles.
        let form: Int
        let base: Int64
        let offset: Int
    }

    private let bytes: [UInt8]
    private let lengths: Column
    private let values: Column
    private let marks: Column
    /// Milliseconds since 1970.
    package let starts: [Int64]

    /// Reads the columns of `count` samples as `ReceivedPageCodec` encodes them.
    package init(_ bytes: [UInt8], count: Int) throws(DamagedPage) {
        var reader = LittleEndianReader(bytes)
        guard try reader.number(width: 1) == ReceivedPageCodec.version, try reader.number(width: 4) == UInt64(count)
        else { throw DamagedPage() }
        self.bytes = bytes
        starts = try ReceivedPageCodec.integers(count, from: &reader)
        lengths = try Self.column(count, from: &reader)
        values = try Self.column(count, from: &reader, mayContainDoubles: true)
        // Origins and revisions are not part of any digest.
        _ = try Self.column(count, from: &reader)
        _ = try Self.column(count, from: &reader)
        marks = try Self.column(count, from: &reader)
        guard reader.isAtEnd else { throw DamagedPage() }
    }

    package var count: Int { starts.count }

    /// Returns whether the sample at `index` is not deleted.
    package func isAlive(at index: Int) -> Bool {
        !ReceivedMarks(rawValue: UInt8(truncatingIfNeeded: integer(marks, at: index))).contains(.deleted)
    }

    /// Returns the digest of the sample at `index`, whose id is `id`.
    func digest(at index: Int, id: SampleID) throws(DamagedPage) -> SampleSetDigest {
        let (start, length) = (starts[index], integer(lengths, at: index))
        guard ReceivedPageCodec.extent.contains(start), length >= 0, ReceivedPageCodec.extent.contains(length) else {
            throw DamagedPage()
        }
        var digest = SampleSetDigest()
        digest.insert(id, start: start, end: start + length, value: value(at: index))
        return digest
    }

    private func value(at index: Int) -> Double {
        guard values.form == Int(ReceivedPageCodec.doubles) else { return Double(integer(values, at: index)) }
        return Double(bitPattern: number(at: values.offset + 8 * index))
    }

    private func integer(_ column: Column, at index: Int) -> Int64 {
        let offset: UInt64 =
            switch column.form {
            case 0: 0
            case 1: UInt64(bytes[column.offset + index])
            case 2: UInt64(number(at: column.offset + 2 * index) as UInt16)
            case 4: UInt64(number(at: column.offset + 4 * index) as UInt32)
            default: number(at: column.offset + 8 * index)
            }
        return column.base &+ Int64(bitPattern: offset)
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    private static func column(
        _ count: Int, from reader: inout LittleEndianReader, mayContainDoubles: Bool = false
    ) throws(DamagedPage) -> Column {
        let form = Int(try reader.number(width: 1))
        let isDouble = mayContainDoubles && form == Int(ReceivedPageCodec.doubles)
        guard isDouble || [0, 1, 2, 4, 8].contains(form) else { throw DamagedPage() }
        let base = isDouble ? 0 : Int64(bitPattern: try reader.number(width: 8))
        let column = Column(form: form, base: base, offset: reader.position)
        try reader.skip(count * (isDouble ? 8 : form))
        return column
    }
}
