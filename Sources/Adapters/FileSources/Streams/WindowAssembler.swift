/// Makes windows of chunks: what a scan left over of one is put in front of the next.
struct WindowAssembler {
    private var left: [UInt8] = []
    private var nextScan = 0

    /// Scans what was left over together with `chunk`. `scan` returns how many bytes of the window are done with.
    ///
    /// A leftover that does not fit into the headroom is a tag as long as a chapter; it is scanned again only when it
    /// has doubled, so that the time stays linear.
    mutating func take(_ chunk: inout Chunk.Content, _ scan: (ByteWindow) throws -> Int) throws {
        guard left.count <= Chunk.headroom else { return try takeLong(&chunk, scan) }
        let start = Chunk.headroom - left.count
        let count = left.count + chunk.count
        // Not `replaceSubrange`, which moves everything behind the headroom onto itself.
        try unsafe chunk.storage.withUnsafeMutableBufferPointer { storage in
            for (index, byte) in left.enumerated() { unsafe storage[start + index] = byte }
            for index in start + count..<start + count + ByteWindow.slack { unsafe storage[index] = 0 }
            guard let base = storage.baseAddress else { return }
            let used = try unsafe scan(ByteWindow(base: base + start, count: count))
            left.removeAll(keepingCapacity: true)
            unsafe left.append(contentsOf: storage[start + used..<start + count])
        }
        nextScan = left.count * 2
    }

    /// Scans what was left over, when nothing more comes.
    mutating func end(_ scan: (ByteWindow) throws -> Int) throws {
        try scanLeft(scan)
    }

    private mutating func takeLong(_ chunk: inout Chunk.Content, _ scan: (ByteWindow) throws -> Int) throws {
        left.append(contentsOf: chunk.storage[Chunk.headroom..<Chunk.headroom + chunk.count])
        if left.count >= nextScan { try scanLeft(scan) }
    }

    private mutating func scanLeft(_ scan: (ByteWindow) throws -> Int) throws {
        let count = left.count
        left.append(contentsOf: repeatElement(0, count: ByteWindow.slack))
        let used = try ByteWindow.over(left, count: count, scan) ?? 0
        left.removeLast(ByteWindow.slack)
        left.removeFirst(used)
        nextScan = left.count * 2
    }
}
