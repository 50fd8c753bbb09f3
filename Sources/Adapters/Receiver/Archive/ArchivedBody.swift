import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// An archived file: the line with the head, then the body as received.
struct ArchivedBody: ~Copyable {
    private let descriptor: Int32
    private let path: String
    /// The head of the post.
    let head: InboxHead
    /// The size of the body as received, in bytes.
    let bytes: Int64
    /// The first bytes of the body, which were read with the line.
    private var start: ArraySlice<UInt8>

    private static let pieceBytes = 64 << 10

    /// Opens the file; returns `nil` if it does not exist.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if the file is damaged.
    init?(_ path: String, id: String) throws {
        try self.init(path) { reason in
            SyncFailure(
                .badInput, subject: id, reason: "the archived file is damaged: \(reason)",
                advice: "delete it: \(path)")
        }
    }

    /// Opens the file; returns `nil` if it does not exist.
    ///
    /// - Parameter damage: returns the error to throw for a damaged file.
    init?(_ path: String, damage: (String) -> SyncFailure) throws {
        // Opening a pipe must not wait for its other end.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw [ELOOP, ENXIO].contains(errno) ? damage("it is not a file") : ArchiveFiles.failure(path, errno)
        }
        var details = stat()
        do {
            guard unsafe fstat(descriptor, &details) == 0 else { throw ArchiveFiles.failure(path, errno) }
            guard details.st_mode & S_IFMT == S_IFREG else { throw damage("it is not a file") }
            var read: [UInt8] = []
            var end: Int?
            while end == nil, read.count < ArchivedHead.longestLine {
                let piece = try ArchiveFiles.piece(of: descriptor, path, bytes: Self.pieceBytes)
                guard !piece.isEmpty else { break }
                end = piece.firstIndex(of: 0x0A).map { read.count + $0 }
                read += piece
            }
            guard let end else { throw damage(ArchivedHead.Damage.form.reason) }
            do throws(ArchivedHead.Damage) {
                head = try ArchivedHead(line: Array(read[..<end])).head
            } catch {
                throw damage(error.reason)
            }
            bytes = Int64(details.st_size) - Int64(end) - 1
            start = read[(end + 1)...]
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Returns the body, decompressed.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if it cannot be decompressed or has more than `limit` bytes.
    consuming func content(id: String, limit: Int) throws -> [UInt8] {
        func rejection(_ reason: String) -> SyncFailure {
            SyncFailure(.badInput, subject: id, reason: reason, advice: "check the settings of the app")
        }
        switch ContentCoding(head.header("content-encoding")) {
        case .unknown: throw rejection("unknown content encoding")
        case .identity:
            guard bytes <= limit else { throw rejection("the body has more than \(limit) bytes") }
            var content = [UInt8]()
            content.reserveCapacity(Int(bytes))
            try forEachPiece { content.append(contentsOf: $0) }
            return content
        case .gzip:
            let inflation = GzipInflation(limit: limit)
            do {
                try forEachPiece { try inflation.append($0) }
                return try inflation.finish()
            } catch let failure as GzipBody.Failure {
                throw rejection(
                    failure == .tooLarge
                        ? "the decompressed body has more than \(limit) bytes" : "the body is not valid gzip")
            }
        }
    }

    private func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        if !start.isEmpty { try body(start) }
        while true {
            let piece = try ArchiveFiles.piece(of: descriptor, path, bytes: Self.pieceBytes)
            guard !piece.isEmpty else { return }
            try body(piece[...])
        }
    }
}
