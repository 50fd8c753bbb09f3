/// A stream of the bytes of a file.
final class FileByteReader: ByteReader {
    private let file: ReadableFile
    private var offset: Int64 = 0

    /// Creates a stream of `file`.
    init(_ file: ReadableFile) { self.file = file }

    var damage: StreamDamage? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try unsafe file.read(at: offset, into: buffer)
        offset += Int64(count)
        return count
    }
}
