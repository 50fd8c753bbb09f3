/// A piece of a stream on its way from the thread that reads to the thread that scans.
///
/// The bytes stand behind a headroom, so that what is left of the piece before can be put in front of them without
/// moving them, and before a slack, so that words may be loaded at the last byte.
struct Chunk: Sendable {
    /// Room in front of the bytes.
    static let headroom = 64 << 10
    /// Most bytes of one chunk: several fit into a second-level cache.
    static let capacity = 256 << 10

    /// Headroom, bytes, slack.
    var storage = [UInt8](repeating: 0, count: headroom + capacity + ByteWindow.slack)
    /// Number of bytes behind the headroom.
    var count = 0
}
