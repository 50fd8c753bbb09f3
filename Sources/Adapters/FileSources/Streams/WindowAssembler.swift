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
