/// A stretch of a `ByteWindow`.
struct ByteRange: Hashable {
    /// Index of the first byte.
    var start = 0
    /// Index behind the last byte.
    var end = 0

    /// Number of bytes.
    var count: Int { end - start }
}
