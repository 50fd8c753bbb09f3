import Foundation
public import HealthSyncDomain

/// Reads the lines of a file in pieces, so that memory does not depend on its size. Blocks: use it in `BlockingWork`.
///
/// Every byte of the file is in exactly one line or is a line break (LF, or CR and LF), except a byte order mark at its beginning, which
/// is skipped.
public struct LineReader: ~Copyable {
    /// One line without its line break. Invalid UTF-8 is replaced by U+FFFD.
    public struct Line: Sendable, Hashable {
        /// The text of the line.
        public let text: String
        /// Where the line begins, in bytes.
        public let offset: Int64
        /// Whether a line break follows. If not, the file may be truncated here (`SampleCollector.breakOff(at:)`).
        public let isTerminated: Bool
    }

    /// The longest line in bytes, 1 MiB; a longer one is an error.
    public static let longestLine = 1 << 20

    private let path: String
    private let file: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    /// How much of the buffer is known to contain no line break.
    private var searched = 0
    private var offset: Int64 = 0
    private var isAtEnd = false

    /// Opens the file at `path`. Throws `.noInput` if it does not exist or cannot be read.
    public init(path: String) throws(SyncFailure) {
        self.path = path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let file = FileHandle(forReadingAtPath: path)
        else { throw Self.failure(path, "no such file, or it cannot be read") }
        self.file = file
    }

    /// Returns the next line; `nil` at the end of the file. Throws `.badInput` for a line that is longer than `longestLine`, and
    /// `.noInput` if the file cannot be read further.
    public mutating func next() throws(SyncFailure) -> Line? {
        while true {
            let found = buffer[searched...].firstIndex(of: 0x0A)
            searched = found ?? buffer.count
            guard searched - position <= Self.longestLine else {
                throw SyncFailure(
                    .badInput, subject: path, reason: "a line is longer than \(Self.longestLine) bytes",
                    advice: "name a file with one record a line")
            }
            if let found { return line(upTo: found, isTerminated: true) }
            guard !isAtEnd else { break }
            try fill()
        }
        return position < buffer.count ? line(upTo: buffer.count, isTerminated: false) : nil
    }

    /// Returns the first line of the file at `path`, to recognize its format; `nil` if the file does not exist, cannot be read, is
    /// empty, or begins with a line that is longer than `longestLine`.
    public static func firstLine(of path: String) -> String? {
        guard var reader = try? LineReader(path: path), let line = try? reader.next() else { return nil }
        return line.text
    }

    private mutating func line(upTo end: Int, isTerminated: Bool) -> Line {
        var bytes = buffer[position..<end]
        if isTerminated, bytes.last == 0x0D { bytes.removeLast() }
        let line = Line(text: String(decoding: bytes, as: UTF8.self), offset: offset, isTerminated: isTerminated)
        offset += Int64(end - position + 1)
        position = min(end + 1, buffer.count)
        searched = position
        return line
    }

    private mutating func fill() throws(SyncFailure) {
        buffer.removeFirst(position)
        searched -= position
        position = 0
        let more: Data
        do { more = try file.read(upToCount: Self.pieceSize) ?? Data() } catch {
            throw Self.failure(path, "it cannot be read")
        }
        let isBeginning = offset == 0 && buffer.isEmpty
        buffer += more
        isAtEnd = more.isEmpty
        if isBeginning, buffer.starts(with: Self.byteOrderMark) {
            position = Self.byteOrderMark.count
            (offset, searched) = (Int64(position), position)
        }
    }

    private static let pieceSize = 1 << 16
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func failure(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(.noInput, subject: path, reason: reason, advice: "check the path and its permissions")
    }
}
