/// A stretch of a `ByteWindow`. Four bytes an index, because a record's tag is passed on with seven of these and a
/// window is never longer than a few times the longest tag.
struct ByteRange: Hashable {
    private let first: UInt32
    private let behind: UInt32

    /// The stretch from `start` up to the byte in front of `end`.
    @inline(__always)
    init(start: Int = 0, end: Int = 0) {
        assert(start >= 0 && end >= start && end <= Int(UInt32.max))
        first = UInt32(truncatingIfNeeded: start)
        behind = UInt32(truncatingIfNeeded: end)
    }

    /// Index of the first byte.
    @inline(__always)
    var start: Int { Int(first) }

    /// Index behind the last byte.
    @inline(__always)
    var end: Int { Int(behind) }

    /// Number of bytes.
    @inline(__always)
    var count: Int { end &- start }
}
