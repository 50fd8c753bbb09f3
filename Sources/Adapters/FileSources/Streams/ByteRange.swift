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
