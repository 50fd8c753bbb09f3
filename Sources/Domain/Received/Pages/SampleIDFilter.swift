/// A Bloom filter of a segment of ids: it contains every id of the segment and about one in a thousand others. It has 16
/// bits per id, in blocks of 512 bits, so that a look-up touches one line of the processor's cache.
package struct SampleIDFilter: Hashable, Sendable {
    private static let wordsPerBlock = 8
    private static let idsPerBlock = 32

    private var words: [UInt64]

    /// Creates an empty filter for `count` ids.
    package init(expecting count: Int) {
        let blocks = max(1, (count + Self.idsPerBlock - 1) / Self.idsPerBlock)
        words = [UInt64](repeating: 0, count: blocks * Self.wordsPerBlock)
    }

    /// Reads a stored filter.
    package init(_ bytes: [UInt8]) throws(DamagedPage) {
        guard !bytes.isEmpty, bytes.count % (Self.wordsPerBlock * 8) == 0 else { throw DamagedPage() }
        words = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 8).map { index in
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
        }
    }

    /// The stored form: the words in little-endian order.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: words.count * 8) { buffer, filled in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for (index, word) in words.enumerated() {
                raw.storeBytes(of: word.littleEndian, toByteOffset: index * 8, as: UInt64.self)
            }
            filled = words.count * 8
        }
    }

    /// The size in memory.
    package var byteCount: Int { words.count * 8 }

    /// Adds the ids of `entries`.
    package mutating func insert(_ entries: [SampleIDLayout.Entry]) {
        let blocks = UInt64(words.count / Self.wordsPerBlock)
        for entry in entries {
            let block = Self.block(entry.prefix, of: blocks)
            let bits = SplitMix.mixed(entry.prefix)
            for word in 0..<Self.wordsPerBlock { words[block + word] |= 1 << (bits >> UInt64(6 * word) & 63) }
        }
    }

    /// Calls `body` with the indices of those of `ids` that the filter may contain. It contains none of the others.
    package func forEachMatch(in ids: [SampleIDHash.Value], _ body: (Int) -> Void) {
        let blocks = UInt64(words.count / Self.wordsPerBlock)
        words.withUnsafeBufferPointer { words in
            for (index, id) in ids.enumerated() {
                let block = Self.block(id.prefix, of: blocks)
                // Three words without a branch exclude almost all; their values cannot be predicted.
                var isSet = Self.bit(0, of: id.bits, in: words[block]) & Self.bit(1, of: id.bits, in: words[block + 1])
                isSet &= Self.bit(2, of: id.bits, in: words[block + 2])
                guard isSet & 1 == 1 else { continue }
                for word in 3..<Self.wordsPerBlock { isSet &= Self.bit(word, of: id.bits, in: words[block + word]) }
                if isSet & 1 == 1 { body(index) }
            }
        }
    }

    /// Returns a number whose lowest bit is the bit of an id in a word of its block.
    @inline(__always)
    private static func bit(_ word: Int, of bits: UInt64, in value: UInt64) -> UInt64 {
        value >> (bits >> UInt64(6 * word) & 63)
    }

    /// Returns the index of the first word of an id's block.
    @inline(__always)
    private static func block(_ prefix: UInt64, of blocks: UInt64) -> Int {
        Int(truncatingIfNeeded: (prefix &* blocks) >> UInt64(SampleIDHash.prefixBits)) * wordsPerBlock
    }
}

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

/// The hash of sample ids under which a server finds stored samples. Clients choose their ids, so the key of each
/// database is random: without it, nobody can choose ids that share a place in the index.
package struct SampleIDHash: Hashable, Sendable {
    /// The number of leading bits that segments of the index use.
    package static let prefixBits = 36

    /// What the index computes once of each id that it searches.
    package struct Value: Hashable, Sendable {
        /// The hash.
        package let hash: UInt64
        /// The places of the id in the blocks of filters.
        let bits: UInt64

        /// The first 36 bits of the hash.
        package var prefix: UInt64 { hash >> UInt64(64 - SampleIDHash.prefixBits) }
    }

    private let key: UInt64

    package init(key: UInt64) { self.key = key }

    /// Returns the hash of `id`.
    package func hash(_ id: SampleID) -> UInt64 { SplitMix.mixed(SplitMix.mixed(id.high ^ key) ^ id.low) }

    /// Returns the first 36 bits of the hash of `id`.
    package func prefix(_ id: SampleID) -> UInt64 { hash(id) >> UInt64(64 - Self.prefixBits) }

    /// Returns what a search needs of the ids of `samples`.
    package func values(of samples: [ReceivedSample]) -> [Value] {
        samples.map { sample in
            let hash = hash(sample.id)
            return Value(hash: hash, bits: SplitMix.mixed(hash >> UInt64(64 - Self.prefixBits)))
        }
    }
}
