import Foundation

/// Reads the lines of a file with bounded memory. Unlike `LineReader`, returns bytes and skips a line over the limit.
struct JSONLineReader {
    struct Line {
        /// The bytes without the newline; `nil` for a line over the limit.
        let bytes: Data?
        /// The offset from the start of the file in bytes.
        let offset: Int64
        /// Whether the line ends with a newline; only the last line may lack one.
        let isTerminated: Bool
    }

    private static let longestLine = 1 << 20
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline: UInt8 = 0x0A

    private let file: ReadableFile
    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int64 = 0
    private var isAtEnd = false

    /// Creates a reader of the lines of `file`. A UTF-8 byte order mark at the start is skipped.
    init(_ file: ReadableFile) throws {
        self.file = file
        while buffer.count < Self.byteOrderMark.count, !isAtEnd { try fill() }
        if buffer.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
    }

    /// Returns the next line; `nil` at the end.
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

    /// Skips a line over the limit. No line contains a zero byte, so that is the end of the text: a disk that failed or was
    /// full may have left gigabytes of them.
    private mutating func skipLongLine() throws -> Line {
        let offset = bufferOffset + Int64(position)
        while true {
            if buffer[position...].contains(0) {
                isAtEnd = true
                position = buffer.count
                return Line(bytes: nil, offset: offset, isTerminated: false)
            }
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

    /// Discards the consumed bytes and reads on; afterwards `position` is 0.
    private mutating func fill() throws {
        buffer.removeSubrange(..<position)
        bufferOffset += Int64(position)
        position = 0
        let chunk = try file.bytes(at: bufferOffset + Int64(buffer.count), count: 1 << 18)
        isAtEnd = chunk.isEmpty
        buffer.append(contentsOf: chunk)
    }
}
