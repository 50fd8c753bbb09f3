import Foundation
import HealthSyncDomain

/// Reads the lines of a file in pieces, so that memory does not depend on its size.
final class LineReader {
    /// One line without its line break.
    struct Line {
        let text: String
        /// The offset of the line in bytes.
        let offset: Int64
        /// Whether a line break follows; otherwise the file may be truncated here.
        let isTerminated: Bool
    }

    private static let longestLine = 1 << 16

    private let path: String
    private let file: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var offset: Int64 = 0
    private var isAtEnd = false

    /// Opens the file at `path`. Throws `.noInput` if it does not exist or cannot be read.
    init(path: String) throws {
        self.path = path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let file = FileHandle(forReadingAtPath: path)
        else { throw Self.failure(path, "no such file, or it cannot be read") }
        self.file = file
    }

    deinit { try? file.close() }

    /// Returns the next line; `nil` at the end of the file.
    func next() throws -> Line? {
        while true {
            if let end = buffer[position...].firstIndex(of: 0x0A) { return line(upTo: end, isTerminated: true) }
            guard !isAtEnd else { break }
            try fill()
        }
        return position < buffer.count ? line(upTo: buffer.count, isTerminated: false) : nil
    }

    private func line(upTo end: Int, isTerminated: Bool) -> Line {
        var bytes = buffer[position..<end]
        if bytes.last == 0x0D { bytes.removeLast() }
        defer {
            offset += Int64(end - position + 1)
            position = min(end + 1, buffer.count)
        }
        return Line(text: String(decoding: bytes, as: UTF8.self), offset: offset, isTerminated: isTerminated)
    }

    private func fill() throws {
        buffer.removeFirst(position)
        position = 0
        guard buffer.count <= Self.longestLine else {
            throw SyncFailure(
                .badInput, subject: path, reason: "a line is longer than \(Self.longestLine) bytes",
                advice: "give a file with one sample per line")
        }
        do {
            let more = try file.read(upToCount: 1 << 16) ?? Data()
            buffer += more
            isAtEnd = more.isEmpty
        } catch {
            throw Self.failure(path, "it cannot be read")
        }
    }

    private static func failure(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(.noInput, subject: path, reason: reason, advice: "check the path and its permissions")
    }
}
