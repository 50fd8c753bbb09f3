import Synchronization

/// A chunk of a stream that is passed between the reading and the scanning thread. Each has exclusive access while it
/// works on it; the storage is never copied.
///
/// The bytes follow a headroom, so that the rest of the previous chunk can be placed before them without moving them,
/// and precede a slack, so that words may be loaded at the last byte.
final class Chunk: Sendable {
    /// The space before the bytes.
    static let headroom = 64 << 10
    /// The maximum number of bytes of a chunk; several fit into a second-level cache.
    static let capacity = 256 << 10

    /// The content of a chunk.
    struct Content {
        /// Headroom, bytes, slack.
        var storage = [UInt8](repeating: 0, count: headroom + capacity + ByteWindow.slack)
        /// The number of bytes after the headroom.
        var count = 0

        /// Reads the next bytes of `reader` until the chunk is full or the stream ends.
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

    /// Calls `body` with exclusive access to the content.
    func withContent<Result: Sendable>(_ body: (inout Content) throws -> Result) rethrows -> Result {
        try content.withLock { try body(&$0) }
    }
}
