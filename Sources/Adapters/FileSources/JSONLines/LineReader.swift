import Foundation

/// Cuts a file into lines with bounded memory.
struct LineReader {
    struct Line {
        /// Without the newline; `nil` for a line over the limit.
        let bytes: Data?
        /// Bytes from the start of the file.
        let offset: Int64
        /// Whether a newline ends it; only the last line may lack one.
        let isTerminated: Bool
    }

    static let longestLine = 1 << 20
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline: UInt8 = 0x0A

    private let file: ReadableFile
    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int64 = 0
    private var isAtEnd = false

    /// Lines of `file`, from its start. A UTF-8 byte order mark at the start is passed over.
    init(_ file: ReadableFile) throws {
        self.file = file
        while buffer.count < Self.byteOrderMark.count, !isAtEnd { try fill() }
        if buffer.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
    }

    /// The next line; `nil` at the end.
    mutating func next() throws -> Line? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: Self.newline) { return take(to: end, isTerminated: true) }
            if isAtEnd { return position < buffer.count ? take(to: buffer.count, isTerminated: false) : nil }
            if buffer.count - position > Self.longestLine { return try skipLongLine() }
            searched = buffer.count - position
            try fill()
        }
    }

    private mutating func take(to end: Int, isTerminated: Bool) -> Line {
        defer { position = isTerminated ? end + 1 : end }
        return Line(
            bytes: end - position > Self.longestLine ? nil : Data(buffer[position..<end]),
            offset: bufferOffset + Int64(position), isTerminated: isTerminated)
    }

    private mutating func skipLongLine() throws -> Line {
        let offset = bufferOffset + Int64(position)
        while true {
            position = buffer.count
            try fill()
            if let end = buffer.firstIndex(of: Self.newline) {
                position = end + 1
                return Line(bytes: nil, offset: offset, isTerminated: true)
            }
            if isAtEnd {
                position = buffer.count
                return Line(bytes: nil, offset: offset, isTerminated: false)
            }
        }
    }

    /// Drops what was read and reads on; afterwards `position` is 0.
    private mutating func fill() throws {
        buffer.removeSubrange(..<position)
        bufferOffset += Int64(position)
        position = 0
        let chunk = try file.bytes(at: bufferOffset + Int64(buffer.count), count: 1 << 18)
        isAtEnd = chunk.isEmpty
        buffer.append(contentsOf: chunk)
    }
}
