import Foundation
import HealthSyncDomain

/// File operations of the archive. They report errors by their `errno`.
enum ArchiveFiles {
    /// Returns the failure for an error of the system.
    static func failure(_ path: String, _ code: Int32) -> SyncFailure {
        guard code == ENOSPC || code == EDQUOT else {
            return SyncFailure(
                .storage, subject: path, reason: unsafe String(cString: strerror(code)),
                advice: "check the disk and the permissions of the folder")
        }
        return SyncFailure(.diskFull, subject: path, reason: "the disk is full", advice: "free some space on the disk")
    }

    /// Creates a folder (0700) and its missing parents.
    static func makeFolder(_ path: String) throws(SyncFailure) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path else { throw failure(path, errno) }
        try makeFolder(parent)
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    /// Makes the names in a folder durable. Some file systems cannot, and return EINVAL.
    static func syncFolder(_ path: String) throws(SyncFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, errno) }
    }

    /// Writes all bytes; returns the `errno`, or 0.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return 0
    }

    /// Reads up to `bytes` bytes; returns none at the end of the file.
    static func piece(of descriptor: Int32, _ path: String, bytes: Int) throws(SyncFailure) -> [UInt8] {
        var code: Int32 = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            var result = -1
            repeat {
                result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            if result < 0 { code = errno }
            count = max(0, result)
        }
        guard code == 0 else { throw failure(path, code) }
        return piece
    }

    /// Whether a file with this path exists, of any kind.
    static func exists(_ path: String) -> Bool {
        var details = stat()
        return unsafe lstat(path, &details) == 0
    }

    /// Returns the content of a file; `nil` if it cannot be read, is not a file, or has more than `limit` bytes.
    static func content(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var details = stat()
        guard unsafe fstat(descriptor, &details) == 0, details.st_mode & S_IFMT == S_IFREG else { return nil }
        var content: [UInt8] = []
        while content.count <= limit {
            guard let piece = try? piece(of: descriptor, path, bytes: limit + 1 - content.count) else { return nil }
            if piece.isEmpty { return content }
            content += piece
        }
        return nil
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(_ path: String) -> Int64 {
        var details = stat()
        return unsafe stat(path, &details) == 0 ? Int64(details.st_size) : 0
    }

    /// Calls `body` with every name in a folder, in any order; does nothing if the folder does not exist.
    static func forEachName(in folder: String, _ body: (String) -> Void) throws(SyncFailure) {
        guard let stream = unsafe opendir(folder) else {
            if errno == ENOENT { return }
            throw failure(folder, errno)
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasBytePrefix(".") { body(name) }
        }
    }
}

/// Creates ids of posts, such as `20261122T221839123-0001-1f3ad0a26b5c9e47`: the time of receipt in UTC, a number, and 64
/// random bits of this archive. No other archive creates the same id, so a post keeps its id when another machine pulls
/// it. Ids never become smaller, even if the clock is set back.
struct PostIDs {
    private var milliseconds: Int64
    private var number = 0
    private let archive = HexDigits.text((0..<8).map { _ in UInt8.random(in: .min ... .max) })

    private static let numbers = 10_000

    /// - Parameter last: the last id in the archive.
    init(after last: String?) {
        milliseconds = last.flatMap(Self.instant)?.milliseconds.advanced(by: 1) ?? .min
    }

    /// Returns the id of a post that was received at `instant`.
    mutating func next(at instant: Instant) -> String {
        if instant.milliseconds > milliseconds {
            milliseconds = instant.milliseconds
            number = 0
        } else if number + 1 < Self.numbers {
            number += 1
        } else {
            milliseconds += 1
            number = 0
        }
        let seconds = RFC3339.string(Instant(seconds: Instant(milliseconds: milliseconds).seconds))
        let fraction = milliseconds - Instant(milliseconds: milliseconds).seconds * 1000
        return seconds.filter { $0 != "-" && $0 != ":" && $0 != "Z" } + Self.digits(Int(fraction), 3)
            + "-\(Self.digits(number, 4))-\(archive)"
    }

    /// Returns whether `text` is an id. Any other text could name a file outside the archive.
    static func isID(_ text: String) -> Bool {
        instant(text) != nil && text.utf8.count <= 40
            && text.utf8.dropFirst(18).allSatisfy { $0 == 0x2D || HexDigits.value($0) != nil }
    }

    /// Returns whether the time in an id is one at which a post can have been received.
    static func isPlausible(_ id: String) -> Bool { instant(id).map { PlausibleTime.contains($0) } ?? false }

    /// Returns the time in an id, or `nil` if it is not one.
    static func instant(_ id: String) -> Instant? {
        let bytes = Array(id.utf8.prefix(18))
        guard bytes.count == 18, bytes[8] == 0x54 else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return RFC3339.instant(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
                + ".\(part(15..<18))Z")
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
