/// The filling side of a ring: reads a stream into chunks until it ends or nobody wants more.
struct ChunkFeeder {
    let ring: ChunkRing

    /// Feeds all of `reader` into the ring.
    ///
    /// A chunk is handed on only when the one behind it was read, because a broken deflate stream yields wrong bytes
    /// for a while before it is noticed: the last chunk before such a break is dropped.
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

    /// The next chunk with the number of its bytes, full unless the stream ends in it; `nil` at the end or when the
    /// using side has stopped.
    private func filled(from reader: any ByteReader) throws -> (chunk: Chunk, count: Int)? {
        guard let chunk = ring.takeSpare() else { return nil }
        let count = try chunk.withContent { content in
            try content.fill(from: reader)
            return content.count
        }
        return (chunk, count)
    }
}
