import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

/// An archived file: the line with the head, then the body as received.
struct ArchivedBody: ~Copyable {
    private let file: OpenFile
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
        let (file, details): (OpenFile, FileDetails)
        do throws(SystemError) {
            file = try OpenFile(reading: path, followsLinks: false)
            details = try file.details()
        } catch {
            if error.code == ENOENT { return nil }
            throw [ELOOP, ENXIO].contains(error.code)
                ? damage("it is not a file") : ArchiveFiles.failure(path, error)
        }
        guard details.isRegular else { throw damage("it is not a file") }
        var read: [UInt8] = []
        var end: Int?
        while end == nil, read.count < ArchivedHead.longestLine {
            let piece = try Self.piece(of: file, path)
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
        bytes = details.size - Int64(end) - 1
        start = read[(end + 1)...]
        self.file = file
        self.path = path
    }

    private static func piece(of file: OpenFile, _ path: String) throws(SyncFailure) -> [UInt8] {
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try file.read(upTo: pieceBytes) }
    }

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
            } catch let failure as Gzip.Failure {
                throw rejection(
                    failure == .tooLarge
                        ? "the decompressed body has more than \(limit) bytes" : "the body is not valid gzip")
            }
        }
    }

    private func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        if !start.isEmpty { try body(start) }
        while true {
            let piece = try Self.piece(of: file, path)
            guard !piece.isEmpty else { return }
            try body(piece[...])
        }
    }
}

/// The first line of an archived file: the head of the post as a JSON object.
struct ArchivedHead: Codable {
    /// Why a line is not the head of a post.
    enum Damage: Error {
        case form, receipt, device, method
        /// A later version of the program wrote it.
        case version

        /// The problem, as a clause.
        var reason: String {
            switch self {
            case .form: "its first line is not the head of a post"
            case .receipt: "its time of receipt is not in the years 1900 to 2200"
            case .device: "its device has no valid name"
            case .method: "its method is not valid"
            case .version: "its form is not known to this version"
            }
        }
    }

    private static let version = 1

    private var version = Self.version
    private var method: String
    private var path: [String]
    private var query: [String: String]
    private var headers: [InboxHead.Header]
    private var device: String
    private var receivedAtMilliseconds: Int64

    init(_ head: InboxHead) {
        method = head.method
        path = head.path
        query = head.query
        headers = head.headers
        device = head.device
        receivedAtMilliseconds = head.receivedAt.milliseconds
    }

    /// The head of the post.
    var head: InboxHead {
        InboxHead(
            method: method, path: path, query: query, headers: headers, device: device,
            receivedAt: Instant(milliseconds: receivedAtMilliseconds))
    }

    /// The longest line that is read, in bytes. A request's head is much shorter.
    static let longestLine = 1 << 20

    /// Returns the line with its line feed.
    func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line = [UInt8](try encoder.encode(self))
        line.append(0x0A)
        return line
    }

    /// Returns the head in a line, which a server or a damaged disk may have written.
    init(line: [UInt8]) throws(Damage) {
        // Foundation would also read UTF-16.
        guard !line.contains(0), let decoded = try? JSONDecoder().decode(ArchivedHead.self, from: Data(line)) else {
            throw .form
        }
        guard decoded.version == Self.version else { throw .version }
        guard PlausibleTime.contains(Instant(milliseconds: decoded.receivedAtMilliseconds)) else { throw .receipt }
        guard decoded.device.isEmpty || UserName(decoded.device) != nil else { throw .device }
        guard (1...Self.longestMethod).contains(decoded.method.utf8.count),
            decoded.method.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .method }
        self = decoded
    }

    /// The longest method in bytes, which is not shorter than the longest head of a request.
    private static let longestMethod = 32 << 10
}
