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
