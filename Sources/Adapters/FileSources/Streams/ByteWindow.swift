import Foundation

/// Bytes that are scanned in place. Valid only as long as the underlying buffer.
///
/// The last byte is followed by `slack` zeros, so that a whole word may be loaded at the index of any byte, and so that a
/// scan stops at a byte that is not part of any markup. Indices are checked in release builds too, so that no input leads
/// outside the buffer; this costs less than one percent of an import.
@safe
struct ByteWindow {
    /// The number of zeros after the bytes.
    static let slack = 64
    private let base: UnsafePointer<UInt8>
    /// The number of bytes.
    let count: Int

    /// Creates a window of `count` bytes at `base`, which must be followed by `slack` zeros.
    @unsafe
    init(base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// Calls `body` with a window of the first `count` of `bytes`, which must be followed by `slack` zeros.
    static func over<Result>(
        _ bytes: [UInt8], count: Int, _ body: (ByteWindow) throws -> Result
    ) rethrows -> Result? {
        guard count >= 0, count <= bytes.count - slack else { return nil }
        return try unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            return try unsafe body(ByteWindow(base: base, count: count))
        }
    }

    /// Returns the byte at `index`, 0 in the slack.
    @inline(__always)
    subscript(_ index: Int) -> UInt8 {
        precondition(index >= 0 && index < count + Self.slack)
        return unsafe base[index]
    }

    /// Returns the eight bytes at `index`, the first in the lowest bits.
    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= count + Self.slack)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// Returns the two bytes at `index`, the first in the lowest bits.
    @inline(__always)
    func halfWord(_ index: Int) -> UInt16 {
        precondition(index >= 0 && index + 2 <= count + Self.slack)
        return unsafe UInt16(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt16.self))
    }

    /// Returns the first index of `byte` from `start`, or `count` if none exists.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int {
        precondition(start >= 0)
        guard start < count, let found = unsafe memchr(base + start, Int32(byte), count - start) else { return count }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns the first index of `quote` or `<` from `start`, or `count` if none exists.
    @inline(__always)
    func endOfValue(from start: Int, quote: UInt8) -> Int {
        let quotes = Self.ones &* UInt64(quote)
        var index = start
        while index < count {
            let eight = word(index)
            let found = Self.zeroBytes(eight ^ quotes) | Self.zeroBytes(eight ^ (Self.ones &* 0x3C))
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        return count
    }

    /// Returns the first index of a quote, `<` or `>` from `start`, or `count` if none exists.
    @inline(__always)
    func firstQuoteOrBracket(from start: Int) -> Int {
        var index = start
        while index < count {
            let eight = word(index)
            // `<` and `>` differ in one bit only, which is masked.
            let found =
                Self.zeroBytes(eight ^ (Self.ones &* 0x22)) | Self.zeroBytes(eight ^ (Self.ones &* 0x27))
                | Self.zeroBytes(eight & (Self.ones &* 0xFD) ^ (Self.ones &* 0x3C))
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        return count
    }

    /// Returns whether the `length` bytes at `start` equal those of `other` at `offset`. False beyond either end.
    @inline(__always)
    func matches(_ start: Int, _ other: [UInt8], _ offset: Int, _ length: Int) -> Bool {
        guard start >= 0, offset >= 0, length > 0, length <= count - start, length <= other.count - offset else {
            return false
        }
        return unsafe other.withUnsafeBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return false }
            return unsafe memcmp(base + start, bytes + offset, length) == 0
        }
    }

    /// Overwrites `bytes` at `offset` with the bytes of `range`, as far as they fit.
    func copy(_ range: ByteRange, to bytes: inout [UInt8], at offset: Int) {
        precondition(range.start >= 0 && range.start <= range.end && range.end <= count)
        unsafe bytes.withUnsafeMutableBytes { buffer in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[min(offset, buffer.count)...])
            let count = min(range.count, room.count)
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(start: base + range.start, count: count))
        }
    }

    /// Appends the bytes of `range` to `bytes`.
    func append(_ range: ByteRange, to bytes: inout [UInt8]) {
        precondition(range.start >= 0 && range.start <= range.end && range.end <= count)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: base + range.start, count: range.count))
    }

    /// A word with 0x01 in every byte.
    static let ones: UInt64 = 0x0101_0101_0101_0101
    /// A word with 0x80 in every byte.
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns a word whose lowest set bit is in the first zero byte of `word`, or 0 if no byte is zero.
    @inline(__always)
    static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }
}

/// A range of a `ByteWindow`. Indices have four bytes, because a record's tag contains seven ranges and a window is at
/// most a few times as long as the longest tag.
struct ByteRange: Hashable {
    private let first: UInt32
    private let upperBound: UInt32

    /// Creates a range from `start` up to but not including `end`.
    @inline(__always)
    init(start: Int = 0, end: Int = 0) {
        assert(start >= 0 && end >= start && end <= Int(UInt32.max))
        first = UInt32(truncatingIfNeeded: start)
        upperBound = UInt32(truncatingIfNeeded: end)
    }

    /// The index of the first byte.
    @inline(__always)
    var start: Int { Int(first) }

    /// The index after the last byte.
    @inline(__always)
    var end: Int { Int(upperBound) }

    /// The number of bytes.
    @inline(__always)
    var count: Int { end &- start }
}
