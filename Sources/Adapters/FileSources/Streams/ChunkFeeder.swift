import Dispatch
import Synchronization

/// The producer of a ring: reads a stream into chunks until it ends or the consumer stops.
struct ChunkFeeder {
    let ring: ChunkRing

    /// Reads all of `reader` into the ring.
    ///
    /// A chunk is delivered only after the following one was read, because a damaged deflate stream yields wrong bytes
    /// for a while before the damage is detected: the last chunk before it is dropped.
    func feed(from reader: any ByteReader) {
        var held: Chunk?
        do {
            while let (chunk, count) = try filled(from: reader) {
                if let held { ring.deliver(.chunk(held)) }
                held = chunk
                if count < Chunk.capacity { break }
            }
            if let chunk = held, reader.damage?.taintsTail != true { ring.deliver(.chunk(chunk)) }
            ring.deliver(.end(reader.damage))
        } catch {
            ring.deliver(.failure(error))
        }
    }

    /// Returns the next chunk and its number of bytes, full unless the stream ends in it; `nil` at the end or if the
    /// consumer has stopped.
    private func filled(from reader: any ByteReader) throws -> (chunk: Chunk, count: Int)? {
        guard let chunk = ring.takeSpare() else { return nil }
        let count = try chunk.withContent { content in
            try content.fill(from: reader)
            return content.count
        }
        return (chunk, count)
    }
}

/// Passes a fixed number of chunks between one producing and one consuming thread. Each chunk is on one side at a time;
/// both sides wait for the other.
final class ChunkRing: Sendable {
    /// A delivery to the consumer.
    enum Delivery: Sendable {
        /// The next bytes.
        case chunk(Chunk)
        /// The end of the stream.
        case end(StreamDamage?)
        /// An error after which reading must not continue.
        case failure(any Error)
    }

    private struct State: ~Copyable {
        var spare: [Chunk] = []
        var unmade: Int
        var deliveries: [Delivery] = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let spareCount: DispatchSemaphore
    private let deliveryCount = DispatchSemaphore(value: 0)

    /// Creates a ring of `count` chunks.
    init(count: Int) {
        state = Mutex(State(unmade: count))
        spareCount = DispatchSemaphore(value: 0)
        for _ in 0..<count { spareCount.signal() }
    }

    /// Waits for an empty chunk; returns `nil` if the consumer has stopped.
    fileprivate func takeSpare() -> Chunk? {
        spareCount.wait()
        return state.withLock { state in
            if state.isStopped { return nil }
            if let chunk = state.spare.popLast() { return chunk }
            // Created on demand: most files are smaller than a chunk.
            state.unmade -= 1
            return state.unmade >= 0 ? Chunk() : nil
        }
    }

    /// Passes a delivery to the consumer.
    func deliver(_ delivery: Delivery) {
        state.withLock { $0.deliveries.append(delivery) }
        deliveryCount.signal()
    }

    /// Waits for the next delivery.
    func next() -> Delivery {
        deliveryCount.wait()
        return state.withLock { $0.deliveries.isEmpty ? .end(nil) : $0.deliveries.removeFirst() }
    }

    /// Returns a consumed chunk to the producer.
    func giveBack(_ chunk: Chunk) {
        state.withLock { $0.spare.append(chunk) }
        spareCount.signal()
    }

    /// Stops the producer.
    func stop() {
        state.withLock { $0.isStopped = true }
        spareCount.signal()
    }
}

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

/// Assembles windows from chunks: the rest of one scan is placed before the next chunk.
struct WindowAssembler {
    private var rest: [UInt8] = []
    private var nextScan = 0

    /// Scans the rest together with `chunk`. `scan` returns the number of consumed bytes of the window.
    ///
    /// A rest that does not fit into the headroom is an extremely long tag; it is scanned again only after it has
    /// doubled, so that the time stays linear.
    mutating func add(_ chunk: inout Chunk.Content, _ scan: (ByteWindow) throws -> Int) throws {
        guard rest.count <= Chunk.headroom else { return try addLong(&chunk, scan) }
        let start = Chunk.headroom - rest.count
        let count = rest.count + chunk.count
        // Not `replaceSubrange`, which would move everything after the headroom onto itself.
        try unsafe chunk.storage.withUnsafeMutableBufferPointer { storage in
            for (index, byte) in rest.enumerated() { unsafe storage[start + index] = byte }
            for index in start + count..<start + count + ByteWindow.slack { unsafe storage[index] = 0 }
            guard let base = storage.baseAddress else { return }
            let used = try unsafe scan(ByteWindow(base: base + start, count: count))
            rest.removeAll(keepingCapacity: true)
            unsafe rest.append(contentsOf: storage[start + used..<start + count])
        }
        nextScan = rest.count * 2
    }

    /// Scans the rest at the end of the stream.
    mutating func end(_ scan: (ByteWindow) throws -> Int) throws {
        try scanRest(scan)
    }

    private mutating func addLong(_ chunk: inout Chunk.Content, _ scan: (ByteWindow) throws -> Int) throws {
        rest.append(contentsOf: chunk.storage[Chunk.headroom..<Chunk.headroom + chunk.count])
        if rest.count >= nextScan { try scanRest(scan) }
    }

    private mutating func scanRest(_ scan: (ByteWindow) throws -> Int) throws {
        let count = rest.count
        rest.append(contentsOf: repeatElement(0, count: ByteWindow.slack))
        let used = try ByteWindow.over(rest, count: count, scan) ?? 0
        rest.removeLast(ByteWindow.slack)
        rest.removeFirst(used)
        nextScan = rest.count * 2
    }
}
