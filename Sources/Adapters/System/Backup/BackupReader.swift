import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

/// Reads a backup from its beginning to its end and compares every checksum.
struct BackupReader {
    private let input: BackupInput
    private let flag: CancellationFlag
    private var sums: [String: String] = [:]
    private var kind = ""
    private var summary = BackupSummary(created: Instant(milliseconds: 0), files: 0, bytes: 0)

    private init(_ file: OpenFile, subject: String, _ flag: CancellationFlag) {
        input = BackupInput(file, subject: subject)
        self.flag = flag
    }

    /// Reads a backup, and extracts its files into `folder` if one is given.
    ///
    /// - Parameters:
    ///   - file: The open file, which may be a pipe.
    ///   - subject: What failures call it.
    ///   - store: The store that it must be of; `nil` for any.
    ///   - folder: An existing, empty folder.
    ///   - flag: Ends the reading.
    /// - Returns: A summary, and the names of the files with their SHA-256.
    /// - Throws: `SyncFailure` with `.badInput` if it is not such a backup, or is truncated or damaged.
    static func read(
        _ file: OpenFile, subject: String, of store: BackupStore?, into folder: String?, _ flag: CancellationFlag
    ) throws -> (summary: BackupSummary, sums: [String: String]) {
        var reader = BackupReader(file, subject: subject, flag)
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
    private let file: OpenFile

    init(_ file: OpenFile, subject: String) {
        self.file = file
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
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece: [UInt8]
            do throws(SystemError) { piece = try file.read(upTo: count - bytes.count) } catch {
                throw SyncFailure(
                    .noInput, subject: subject, reason: "cannot be read: \(error.text)",
                    advice: "check the file and its permissions")
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}

/// A file of a backup as it is extracted, readable only by its owner.
private struct ExtractedFile {
    private let path: String
    private let file: OpenFile

    /// Creates the file `name` and its folders in `folder`.
    init(_ folder: String, name: String) throws {
        path = "\(folder)/\(name)"
        try PosixFiles().makePrivateFolder(BackupPaths.folder(of: path))
        do throws(SystemError) { file = try OpenFile(creating: path, ifExists: .fail) } catch {
            throw FileFailure.cannotCreate(path, error.text)
        }
    }

    func write(_ bytes: [UInt8]) throws { try writing { () throws(SystemError) in try file.write(bytes) } }

    /// Makes the content durable and closes the file.
    func finish() throws {
        try writing { () throws(SystemError) in
            try file.sync()
            try file.close()
        }
    }

    private func writing(_ body: () throws(SystemError) -> Void) throws(SyncFailure) {
        do throws(SystemError) { try body() } catch {
            throw SyncFailure(
                .storage, subject: path, reason: "cannot be written: \(error.text)",
                advice: "free some space on the disk, then run the command again; nothing was changed")
        }
    }
}
