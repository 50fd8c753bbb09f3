import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Writes a backup: a tar archive with a description first and the checksums of all files last.
final class BackupWriter {
    private let descriptor: Int32
    private let subject: String
    private let created: Instant
    private var sums: [(digest: String, name: String)] = []
    private var files = 0
    private var bytes: Int64 = 0

    /// Begins a backup on an open file, which failures call `subject`.
    init(to descriptor: Int32, subject: String, kind: String, created: Instant, version: String) throws {
        self.descriptor = descriptor
        self.subject = subject
        self.created = created
        let description = BackupDescription(
            format: BackupDescription.format, kind: kind, created: RFC3339.string(created), version: version)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try add(Array(try encoder.encode(description)) + [0x0A], name: BackupPaths.description)
    }

    /// Adds the file at `path`. Returns `false` if it does not exist.
    func add(_ path: String, name: String, _ flag: CancellationFlag) throws -> Bool {
        guard BackupPaths.isSafe(name) else {
            throw SyncFailure(
                .storage, subject: path, reason: "its name cannot be stored in a backup",
                advice: "move the file away, as it is not one of healthsync")
        }
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard source >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw Self.unreadable(path, SystemError.text(errno))
        }
        defer { close(source) }
        var details = stat()
        guard unsafe fstat(source, &details) == 0, details.st_mode & S_IFMT == S_IFREG else {
            throw Self.unreadable(path, "it is not a file")
        }
        let header = TarHeader(
            name: name, size: Int64(details.st_size), modified: max(0, Int64(details.st_mtim.tv_sec)))
        try write(header.encoded())
        var digest = MessageDigest()
        var rest = header.size
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while rest > 0 {
            try flag.check()
            let wanted = Int(min(rest, Int64(chunk.count)))
            let count = unsafe read(source, &chunk, wanted)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Self.unreadable(path, count < 0 ? SystemError.text(errno) : "it was truncated")
            }
            digest.update(chunk[..<count])
            try write(Array(chunk[..<count]))
            rest -= Int64(count)
        }
        try write([UInt8](repeating: 0, count: header.padding))
        sums.append((digest.finish(), name))
        files += 1
        bytes += header.size
        return true
    }

    /// Adds the checksums and ends the archive.
    func finish() throws -> BackupSummary {
        try add(Array(sums.map { "\($0.digest)  \($0.name)\n" }.joined().utf8), name: BackupPaths.checksums)
        try write([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes))
        return BackupSummary(created: created, files: files, bytes: bytes)
    }

    private func add(_ content: [UInt8], name: String) throws {
        let header = TarHeader(
            name: name, size: Int64(content.count), modified: max(0, created.milliseconds / 1_000))
        var digest = MessageDigest()
        digest.update(content[...])
        sums.append((digest.finish(), name))
        try write(header.encoded() + content + [UInt8](repeating: 0, count: header.padding))
    }

    private func write(_ bytes: [UInt8]) throws {
        let code = DescriptorWriter.write(bytes, to: descriptor)
        guard code == 0 else {
            throw SyncFailure(
                .storage, subject: subject, reason: "cannot be written: \(SystemError.text(code))",
                advice: code == ENOSPC ? "free some space on the disk" : "check the disk, or the program that reads it")
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be backed up: \(reason)",
            advice: "check the file and its permissions, then run the command again")
    }
}

/// The first file of a backup.
struct BackupDescription: Codable {
    /// The format that this program writes.
    static let format = 1

    var format: Int
    /// `local` or `server`.
    var kind: String
    /// RFC 3339.
    var created: String
    /// The version of the program that wrote it.
    var version: String
}
