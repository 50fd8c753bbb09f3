/// The bytes of a file from its start to its end.
final class FileByteReader: ByteReader {
    private let file: ReadableFile
    private var offset: Int64 = 0

    /// Reads `file`.
    init(_ file: ReadableFile) { self.file = file }

    var damage: StreamDamage? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try unsafe file.read(at: offset, into: buffer)
        offset += Int64(count)
        return count
    }
}
