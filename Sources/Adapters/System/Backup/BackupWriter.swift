import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

/// Writes a backup: a tar archive with a description first and the checksums of all files last.
final class BackupWriter {
    private let output: OpenFile
    private let subject: String
    private let created: Instant
    private var sums: [(digest: String, name: String)] = []
    private var files = 0
    private var bytes: Int64 = 0

    /// Begins a backup on an open file, which failures call `subject`.
    init(to output: OpenFile, subject: String, kind: String, created: Instant, version: String) throws {
        self.output = output
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
        let (source, details): (OpenFile, FileDetails)
        do throws(SystemError) {
            source = try OpenFile(reading: path, followsLinks: false)
            details = try source.details()
        } catch {
            if error.isMissing { return false }
            throw Self.unreadable(path, error.text)
        }
        guard details.isRegular else { throw Self.unreadable(path, "it is not a file") }
        let header = TarHeader(name: name, size: details.size, modified: max(0, details.modified))
        try write(header.encoded())
        var digest = MessageDigest()
        var rest = header.size
        while rest > 0 {
            try flag.check()
            let chunk = try Self.piece(of: source, path, bytes: Int(min(rest, Int64(Self.chunkBytes))))
            digest.update(chunk[...])
            try write(chunk)
            rest -= Int64(chunk.count)
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

    private static let chunkBytes = 1 << 18

    private static func piece(of source: OpenFile, _ path: String, bytes: Int) throws(SyncFailure) -> [UInt8] {
        let piece: [UInt8]
        do throws(SystemError) { piece = try source.read(upTo: bytes) } catch { throw unreadable(path, error.text) }
        guard !piece.isEmpty else { throw unreadable(path, "it was truncated") }
        return piece
    }

    private func write(_ bytes: [UInt8]) throws(SyncFailure) {
        do throws(SystemError) { try output.write(bytes) } catch {
            throw SyncFailure(
                .storage, subject: subject, reason: "cannot be written: \(error.text)",
                advice: error.isDiskFull
                    ? "free some space on the disk" : "check the disk, or the program that reads it")
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

/// A header of a tar archive (POSIX.1-1988, ustar) for a file that only its owner may read.
struct TarHeader: Hashable {
    /// The size of headers, and the multiple to which contents are padded.
    static let blockBytes = 512

    /// A relative path of at most 100 bytes.
    var name: String
    /// The size of the content in bytes.
    var size: Int64
    /// The time of the last change in seconds since 1970.
    var modified: Int64

    init(name: String, size: Int64, modified: Int64) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    /// Reads a header. Returns `nil` unless it is one that `encoded` writes.
    init?(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        guard block.count == Self.blockBytes, let size = Self.number(block[124..<136]),
            let modified = Self.number(block[136..<148])
        else { return nil }
        let name = String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
        self.init(name: name, size: size, modified: modified)
        guard encoded() == block else { return nil }
    }

    /// The number of bytes after the content that fill its last block.
    var padding: Int { Int((512 - size % 512) % 512) }

    /// The header as a block.
    func encoded() -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (place, byte) in zip(offset..., bytes) { block[place] = byte }
        }
        put(name.utf8.prefix(100), at: 0)
        put("0000600\0".utf8, at: 100)
        put("0000000\0".utf8, at: 108)
        put("0000000\0".utf8, at: 116)
        put(Self.field(size), at: 124)
        put(Self.field(modified), at: 136)
        put("        0".utf8, at: 148)
        put("ustar\u{0}00".utf8, at: 257)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(Self.octal(Int64(sum), digits: 6) + [0, 0x20], at: 148)
        return block
    }

    /// Eleven octal digits, or for larger numbers the binary form of GNU tar.
    private static func field(_ number: Int64) -> [UInt8] {
        if number < 1 << 33 { return octal(number, digits: 11) + [0] }
        return [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        (0..<digits).reversed().map { 0x30 + UInt8(truncatingIfNeeded: (number >> (3 * Int64($0))) & 7) }
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        if field.first == 0x80 {
            let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int64(exactly: value)
        }
        guard field.last == 0, field.dropLast().allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return field.dropLast().reduce(0) { $0 << 3 | Int64($1 - 0x30) }
    }
}
