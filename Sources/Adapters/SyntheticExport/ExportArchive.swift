import CHealthSyncZip
import Foundation
import HealthSyncDomain
import HealthSyncSupport

/// An archive like Apple's, written by libzip, which moves it into place when complete.
struct ExportArchive {
    struct Entry {
        let name: String
        /// Returns the next piece of the entry's bytes, or `nil` after the last.
        let next: () throws -> [UInt8]?
    }

    let path: String
    /// The date of every entry, as the two numbers of MS-DOS.
    let date: UInt16
    let time: UInt16

    // A compromise of speed and size: ten percent larger than the best compression, and several times as fast.
    private static let compressionLevel: UInt32 = 3

    /// Writes `entries` in order. Errors of an entry's `next` are rethrown; failures of the file are `SyncFailure` with
    /// `.cannotCreate`. In both cases an existing file at the path is unchanged.
    func write(_ entries: [Entry]) throws {
        var code: Int32 = 0
        guard let archive = unsafe zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
            throw OutputFile.failure(path, reason: "libzip error \(code)")
        }
        let sources = entries.map { PullSource(next: $0.next) }
        for (entry, source) in zip(entries, sources) where unsafe !add(entry, source, to: archive) {
            let reason = unsafe reason(of: archive)
            unsafe zip_discard(archive)
            throw OutputFile.failure(path, reason: reason)
        }
        let isClosed = withExtendedLifetime(sources) { unsafe zip_close(archive) == 0 }
        guard isClosed else {
            let reason = unsafe reason(of: archive)
            unsafe zip_discard(archive)
            throw sources.compactMap(\.failure).first ?? OutputFile.failure(path, reason: reason)
        }
    }

    private func add(_ entry: Entry, _ source: PullSource, to archive: OpaquePointer) -> Bool {
        guard let handle = unsafe source.attach(to: archive) else { return false }
        let index = unsafe zip_file_add(archive, entry.name, handle, ZIP_FL_ENC_UTF_8)
        guard index >= 0 else {
            unsafe zip_source_free(handle)
            return false
        }
        let entryIndex = UInt64(index)
        return unsafe zip_set_file_compression(archive, entryIndex, ZIP_CM_DEFLATE, Self.compressionLevel) == 0
            && zip_file_set_dostime(archive, entryIndex, time, date, 0) == 0
            && zip_file_set_external_attributes(archive, entryIndex, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
    }

    private func reason(of archive: OpaquePointer) -> String {
        unsafe String(cString: zip_error_strerror(zip_get_error(archive)))
    }
}

/// A file (0600) that is written atomically.
struct OutputFile {
    let path: String

    /// Writes the pieces from `next` until it returns `nil`. Errors of `next` are rethrown; failures of the file are
    /// `SyncFailure` with `.cannotCreate`. In both cases no new file remains.
    func write(_ next: () throws -> [UInt8]?) throws {
        do {
            let draft = try FileDraft(of: path)
            while let piece = try next() { try draft.file.write(piece) }
            try draft.replaceTarget()
        } catch let error as SystemError {
            throw Self.failure(path, reason: error.text)
        }
    }

    static func failure(_ path: String, reason: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be written: \(reason)",
            advice: "choose a file in an existing, writable folder with free space")
    }
}

/// A stream that libzip reads: each read requests more from `next`, on the thread that closes the archive.
private final class PullSource {
    private let next: () throws -> [UInt8]?
    private var piece: [UInt8] = []
    private var position = 0
    /// The error that `next` threw.
    private(set) var failure: (any Error)?

    init(next: @escaping () throws -> [UInt8]?) { self.next = next }

    /// Creates a libzip source for this stream. The caller keeps the stream alive until the archive is closed.
    func attach(to archive: OpaquePointer) -> OpaquePointer? {
        unsafe zip_source_function(archive, pullSourceCallback, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func read(into target: UnsafeMutableRawBufferPointer) -> Int64 {
        do {
            if position == piece.count {
                guard let more = try next() else { return 0 }
                piece = more
                position = 0
            }
        } catch {
            failure = error
            return -1
        }
        let count = min(target.count, piece.count - position)
        unsafe piece.withUnsafeBytes { bytes in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        return Int64(count)
    }
}

private let supportedCommands: Int64 = [
    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
].reduce(0) { $0 | 1 << Int64($1.rawValue) }

private func pullSourceCallback(
    _ user: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?, _ length: UInt64, _ command: zip_source_cmd_t
) -> Int64 {
    guard let user = unsafe user else { return -1 }
    switch command {
    case ZIP_SOURCE_OPEN, ZIP_SOURCE_CLOSE, ZIP_SOURCE_FREE:
        return 0
    case ZIP_SOURCE_READ:
        let source = unsafe Unmanaged<PullSource>.fromOpaque(user).takeUnretainedValue()
        return unsafe source.read(into: UnsafeMutableRawBufferPointer(start: data, count: Int(length)))
    case ZIP_SOURCE_STAT:
        guard let stat = unsafe data?.assumingMemoryBound(to: zip_stat_t.self) else { return -1 }
        unsafe zip_stat_init(stat)
        return unsafe Int64(MemoryLayout<zip_stat_t>.size)
    case ZIP_SOURCE_ERROR:
        guard let codes = unsafe data?.assumingMemoryBound(to: Int32.self) else { return -1 }
        unsafe codes[0] = ZIP_ER_READ
        unsafe codes[1] = 0
        return 2 * Int64(MemoryLayout<Int32>.size)
    case ZIP_SOURCE_SUPPORTS:
        return supportedCommands
    default:
        return -1
    }
}
