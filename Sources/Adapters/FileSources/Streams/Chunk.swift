import Synchronization

/// A piece of a stream on its way between the thread that reads and the thread that scans. Whoever holds it has it to
/// itself while it works on it; the storage is never copied.
///
/// The bytes stand behind a headroom, so that what is left of the piece before can be put in front of them without
/// moving them, and before a slack, so that words may be loaded at the last byte.
final class Chunk: Sendable {
    /// Room in front of the bytes.
    static let headroom = 64 << 10
    /// Most bytes of one chunk: several fit into a second-level cache.
    static let capacity = 256 << 10

    /// What a chunk holds.
    struct Content {
        /// Headroom, bytes, slack.
        var storage = [UInt8](repeating: 0, count: headroom + capacity + ByteWindow.slack)
        /// Number of bytes behind the headroom.
        var count = 0

        /// Takes the next bytes of `reader`, as many as there is room for, fewer only where the stream ends.
        mutating func fill(from reader: any ByteReader) throws {
            count = try unsafe storage.withUnsafeMutableBytes { storage in
                let end = headroom + capacity
                var start = headroom
                while start < end {
                    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[start..<end])
                    let read = try unsafe reader.read(into: room)
                    if read == 0 { break }
                    start += read
                }
                return start - headroom
            }
        }
    }

    private let content = Mutex(Content())

    /// Works on the content.
    func withContent<Result: Sendable>(_ body: (inout Content) throws -> Result) rethrows -> Result {
        try content.withLock { try body(&$0) }
    }
}
