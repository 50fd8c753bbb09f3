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
