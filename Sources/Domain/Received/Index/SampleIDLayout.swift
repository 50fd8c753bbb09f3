/// The layout of a segment of the id index: its ids are divided into chunks by the first bits of their hash. An entry of
/// a chunk is the rest of the 36-bit prefix, followed by the position of the sample relative to the segment.
package struct SampleIDLayout: Hashable, Sendable {
    /// An id of a segment.
    package struct Entry: Hashable, Sendable {
        /// The first 36 bits of the hash of the id.
        package var prefix: UInt64
        /// The position of the sample.
        package var position: Int64

        package init(prefix: UInt64, position: Int64) {
            self.prefix = prefix
            self.position = position
        }
    }

    /// The number of ids that a chunk does not exceed on average: two database pages of entries.
    private static let chunkSize = 1_024
    /// The largest distance of two positions in a segment, so that an entry fits into 8 bytes.
    package static let largestSpan: Int64 = 1 << 28

    /// The number of bits of the hash that determine the chunk.
    package let chunkBits: Int
    /// The number of bits of a relative position.
    package let offsetBits: Int
    /// The first position of the segment.
    package let firstPosition: Int64

    /// Returns the layout of `count` ids whose samples are at `positions`, which span at most `largestSpan`.
    package init(count: Int, positions: ClosedRange<Int64>) {
        chunkBits = count <= Self.chunkSize ? 0 : Self.bits(UInt64((count - 1) / Self.chunkSize))
        offsetBits = Self.bits(UInt64(positions.upperBound - positions.lowerBound))
        firstPosition = positions.lowerBound
    }

    /// Reads a stored layout.
    package init(chunkBits: Int, offsetBits: Int, firstPosition: Int64) throws(DamagedPage) {
        guard (0...SampleIDHash.prefixBits).contains(chunkBits), (0...28).contains(offsetBits) else {
            throw DamagedPage()
        }
        self.chunkBits = chunkBits
        self.offsetBits = offsetBits
        self.firstPosition = firstPosition
    }

    /// The number of chunks.
    package var chunkCount: Int { 1 << chunkBits }

    /// The number of bytes of an entry.
    package var entryBytes: Int { max(1, (SampleIDHash.prefixBits - chunkBits + offsetBits + 7) / 8) }

    /// Returns the chunk that contains ids with `prefix`.
    package func chunk(of prefix: UInt64) -> Int { Int(prefix >> UInt64(SampleIDHash.prefixBits - chunkBits)) }

    /// Encodes the entries of one chunk.
    package func encode(_ entries: ArraySlice<Entry>) -> [UInt8] {
        let width = entryBytes
        return [UInt8](unsafeUninitializedCapacity: entries.count * width + 8) { buffer, filled in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            var offset = 0
            for entry in entries {
                let bits = (entry.prefix & restMask) << UInt64(offsetBits) | UInt64(entry.position - firstPosition)
                raw.storeBytes(of: bits.littleEndian, toByteOffset: offset, as: UInt64.self)
                offset += width
            }
            filled = offset
        }
    }

    /// Calls `body` with every entry of `chunk`; throws `DamagedPage` if the last one is incomplete.
    package func forEach(
        in bytes: [UInt8], chunk: Int, _ body: (Entry) -> Void
    ) throws(DamagedPage) {
        let width = entryBytes
        guard bytes.count % width == 0 else { throw DamagedPage() }
        let mask: UInt64 = width == 8 ? .max : 1 << UInt64(width * 8) - 1
        let base = UInt64(chunk) << UInt64(SampleIDHash.prefixBits - chunkBits)
        // Padded, so that a whole word can be read at the last entry.
        let padded = bytes + [UInt8](repeating: 0, count: 8)
        padded.withUnsafeBytes { raw in
            for offset in stride(from: 0, to: bytes.count, by: width) {
                let bits = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & mask
                let position = firstPosition + Int64(bits & (1 << UInt64(offsetBits) - 1))
                body(Entry(prefix: base | bits >> UInt64(offsetBits), position: position))
            }
        }
    }

    private var restMask: UInt64 { 1 << UInt64(SampleIDHash.prefixBits - chunkBits) - 1 }

    private static func bits(_ number: UInt64) -> Int { 64 - number.leadingZeroBitCount }
}
