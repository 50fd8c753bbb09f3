import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Reads a backup from its beginning to its end and compares every checksum.
struct BackupReader {
    private let input: BackupInput
    private let flag: CancellationFlag
    private var sums: [String: String] = [:]
    private var kind = ""
    private var summary = BackupSummary(created: Instant(milliseconds: 0), files: 0, bytes: 0)

    private init(_ descriptor: Int32, subject: String, _ flag: CancellationFlag) {
        input = BackupInput(descriptor, subject: subject)
        self.flag = flag
    }

    /// Reads a backup, and extracts its files into `folder` if one is given.
    ///
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - subject: What failures call it.
    ///   - store: The store that it must be of; `nil` for any.
    ///   - folder: An existing, empty folder.
    ///   - flag: Ends the reading.
    /// - Returns: A summary, and the names of the files with their SHA-256.
    /// - Throws: `SyncFailure` with `.badInput` if it is not such a backup, or is truncated or damaged.
    static func read(
        _ descriptor: Int32, subject: String, of store: BackupStore?, into folder: String?, _ flag: CancellationFlag
    ) throws -> (summary: BackupSummary, sums: [String: String]) {
        var reader = BackupReader(descriptor, subject: subject, flag)
        try reader.readDescription(store, into: folder)
        while try reader.readFile(store, into: folder) {}
        try reader.input.requireEnd()
        return (reader.summary, reader.sums)
    }

    private mutating func readDescription(_ store: BackupStore?, into folder: String?) throws {
        guard let block = try? input.block(), let header = TarHeader(block[...]),
            header.name == BackupPaths.description, header.size <= 4_096
        else { throw input.foreign("it is not a backup of healthsync") }
        let content = try content(header, into: nil)
        guard let description = try? JSONDecoder().decode(BackupDescription.self, from: Data(content)),
            let created = RFC3339.instant(description.created)
        else { throw input.damaged() }
        guard description.format == BackupDescription.format else {
            throw SyncFailure(
                .badInput, subject: input.subject, reason: "it was written by a newer version (\(description.version))",
                advice: "update healthsync")
        }
        if let store, description.kind != store.kind {
            throw SyncFailure(
                .badInput, subject: input.subject, reason: "it is a backup of a \(description.kind) store",
                advice: description.kind == "server"
                    ? "name the store of the server with --store" : "omit --store to restore the local store")
        }
        kind = description.kind
        summary.created = created
    }

    /// Reads the next file. Returns `false` after the checksums, which are the last one.
    private mutating func readFile(_ store: BackupStore?, into folder: String?) throws -> Bool {
        try flag.check()
        guard let header = TarHeader(try input.block()[...]), BackupPaths.isSafe(header.name),
            sums[header.name] == nil
        else { throw input.damaged() }
        if header.name == BackupPaths.checksums {
            guard header.size < 1 << 30 else { throw input.damaged() }
            let read = sums
            let listed = try content(header, into: nil)
            let lines = read.map { "\($0.value)  \($0.key)" }.sorted()
            let expected = String(decoding: listed, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
            guard listed.last == 0x0A, lines == expected else { throw input.damaged() }
            sums = read
            return false
        }
        let part = String(header.name.prefix { $0 != "/" })
        guard store?.parts.contains(where: { $0.name == part }) ?? true else { throw input.damaged() }
        _ = try content(header, into: folder)
        summary.files += 1
        summary.bytes += header.size
        return true
    }

    /// Reads the content of a file, and notes its digest. Writes it into `folder`, or else returns it if it is small.
    private mutating func content(_ header: TarHeader, into folder: String?) throws -> [UInt8] {
        let keeps = [BackupPaths.description, BackupPaths.checksums].contains(header.name)
        let output = try folder.map { try ExtractedFile($0, name: header.name) }
        var digest = MessageDigest()
        var content: [UInt8] = []
        var rest = header.size
        while rest > 0 {
            try flag.check()
            let chunk = try input.bytes(Int(min(rest, 1 << 18)))
            digest.update(chunk[...])
            try output?.write(chunk)
            if keeps { content += chunk }
            rest -= Int64(chunk.count)
        }
        guard try input.bytes(header.padding).allSatisfy({ $0 == 0 }) else { throw input.damaged() }
        try output?.finish()
        sums[header.name] = digest.finish()
        return content
    }
}

/// The bytes of a backup, in order.
private struct BackupInput {
    let subject: String
    private let descriptor: Int32

    init(_ descriptor: Int32, subject: String) {
        self.descriptor = descriptor
        self.subject = subject
    }

    /// Returns the next block.
    func block() throws -> [UInt8] { try bytes(TarHeader.blockBytes) }

    /// Returns the next `count` bytes. Throws `.badInput` if the file ends before.
    func bytes(_ count: Int) throws -> [UInt8] {
        let bytes = try available(count)
        guard bytes.count == count else {
            throw SyncFailure(
                .badInput, subject: subject, reason: "the backup is truncated",
                advice: "use another copy of the backup; nothing was changed")
        }
        return bytes
    }

    /// Throws `.badInput` unless zero bytes alone follow, at least two blocks of them.
    func requireEnd() throws {
        guard try bytes(2 * TarHeader.blockBytes).allSatisfy({ $0 == 0 }) else { throw damaged() }
        while true {
            let rest = try available(1 << 16)
            guard rest.allSatisfy({ $0 == 0 }) else { throw damaged() }
            if rest.isEmpty { return }
        }
    }

    func damaged() -> SyncFailure { foreign("the backup is damaged") }

    func foreign(_ reason: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: subject, reason: reason,
            advice: "use another copy of the backup; nothing was changed")
    }

    /// Returns the next bytes, fewer than `count` at the end of the file.
    private func available(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw SyncFailure(
                    .noInput, subject: subject, reason: "cannot be read: \(SystemError.text(errno))",
                    advice: "check the file and its permissions")
            }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }
}

/// A file of a backup as it is extracted, readable only by its owner.
private final class ExtractedFile {
    private let path: String
    private var descriptor: Int32

    /// Creates the file `name` and its folders in `folder`.
    init(_ folder: String, name: String) throws {
        path = "\(folder)/\(name)"
        try PosixFiles().makePrivateFolder(BackupPaths.folder(of: path))
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure.cannotCreate(path, SystemError.text(errno)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) throws {
        try require(DescriptorWriter.write(bytes, to: descriptor))
    }

    /// Makes the content durable and closes the file.
    func finish() throws {
        let synced = fsync(descriptor) == 0 ? 0 : errno
        let closed = close(descriptor) == 0 ? 0 : errno
        descriptor = -1
        try require(synced)
        try require(closed)
    }

    private func require(_ code: Int32) throws {
        guard code != 0 else { return }
        throw SyncFailure(
            .storage, subject: path, reason: "cannot be written: \(SystemError.text(code))",
            advice: "free some space on the disk, then run the command again; nothing was changed")
    }
}
