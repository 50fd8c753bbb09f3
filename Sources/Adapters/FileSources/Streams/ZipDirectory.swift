import CHealthSyncZip
import Foundation
import HealthSyncDomain

/// The entries of an archive, read from its directory by libzip.
struct ZipDirectory {
    /// The maximum number of entries; an export has some thousands.
    static let entryLimit = 1_000_000
    /// The entries in directory order.
    let entries: [ZipEntry]

    /// Reads the directory of `file`.
    ///
    /// Throws `.badInput` if it is not an archive, is empty, or has entries with overlapping bytes.
    init(of file: ReadableFile) throws {
        let source = ZipFileSource(file)
        entries = try withExtendedLifetime(source) {
            try unsafe Self.withArchive(source, path: file.path) { try unsafe Self.entries(of: $0, source, file) }
        }
        try rejectOverlap(in: file)
    }

    private static func withArchive<Result>(
        _ source: ZipFileSource, path: String, _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        let context = unsafe Unmanaged.passUnretained(source).toOpaque()
        guard let stream = unsafe zip_source_function_create(ZipFileSource.callback, context, &error) else {
            throw damaged(path, unsafe text(&error))
        }
        guard let archive = unsafe zip_open_from_source(stream, ZIP_RDONLY, &error) else {
            unsafe zip_source_free(stream)
            throw damaged(path, unsafe text(&error))
        }
        defer { unsafe zip_discard(archive) }
        return try unsafe body(archive)
    }

    private static func entries(
        of archive: OpaquePointer, _ source: ZipFileSource, _ file: ReadableFile
    ) throws -> [ZipEntry] {
        let count = unsafe zip_get_num_entries(archive, 0)
        guard count > 0 else {
            throw SyncFailure(
                .badInput, subject: file.path, reason: "the archive is empty",
                advice: "export again from the Health app and use the new export.zip")
        }
        guard count <= entryLimit else { throw damaged(file.path, "it lists \(count) entries") }
        return (0..<UInt64(count)).compactMap { index in
            var status = unsafe zip_stat_t()
            guard unsafe zip_stat_index(archive, index, 0, &status) == 0 else { return nil }
            let rawName = unsafe bytes(zip_get_name(archive, index, zip_flags_t(ZIP_FL_ENC_RAW)))
            let isEncrypted = unsafe status.encryption_method != UInt16(ZIP_EM_NONE)
            return unsafe ZipEntry(
                index: index, rawName: rawName, size: status.size, compressedSize: status.comp_size,
                method: status.comp_method, isEncrypted: isEncrypted, checksum: status.crc,
                dataOffset: status.comp_size > 0 && !isEncrypted ? dataOffset(of: index, archive, source) : nil)
        }
    }

    /// Returns the offset of the first compressed byte of an entry, as libzip reads it.
    private static func dataOffset(of index: UInt64, _ archive: OpaquePointer, _ source: ZipFileSource) -> Int64? {
        guard let stream = unsafe zip_fopen_index(archive, index, zip_flags_t(ZIP_FL_COMPRESSED)) else { return nil }
        defer { unsafe zip_fclose(stream) }
        var byte: UInt8 = 0
        return unsafe zip_fread(stream, &byte, 1) == 1 ? source.lastReadOffset : nil
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text = unsafe text else { return [] }
        return unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
    }

    private func rejectOverlap(in file: ReadableFile) throws {
        var end: Int64 = 0
        let extents = entries.compactMap { entry in entry.dataOffset.map { ($0, entry.compressedSize) } }
        for (start, length) in extents.sorted(by: { $0.0 < $1.0 }) {
            let (upperBound, overflow) = start.addingReportingOverflow(Int64(clamping: length))
            guard start >= end else {
                throw SyncFailure(
                    .badInput, subject: file.path, reason: "entries of the archive overlap",
                    advice: "the archive may be malicious; export again from the Health app")
            }
            guard !overflow, upperBound <= file.size else {
                throw Self.damaged(file.path, "an entry extends beyond the end of the file")
            }
            end = upperBound
        }
    }

    private static func text(_ error: inout zip_error_t) -> String {
        unsafe String(cString: zip_error_strerror(&error))
    }

    private static func damaged(_ path: String, _ why: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: path, reason: "not a readable ZIP archive (\(why))",
            advice: "copy export.zip from the phone again; the file may be truncated")
    }
}

/// An entry in the directory of an archive.
struct ZipEntry: Sendable, Hashable {
    /// The index in the directory.
    let index: UInt64
    /// The name as stored; writers use various encodings.
    fileprivate let rawName: [UInt8]
    /// The uncompressed size that the directory states.
    let size: UInt64
    /// The size of the compressed bytes.
    let compressedSize: UInt64
    /// The compression method: 0 is stored, 8 is deflate.
    let method: UInt16
    /// Whether a password is needed.
    let isEncrypted: Bool
    /// The CRC-32 of the uncompressed bytes.
    let checksum: UInt32
    /// The offset of the compressed bytes in the archive; `nil` if none exist or their header cannot be read.
    let dataOffset: Int64?

    /// The name for display.
    var name: String { String(decoding: rawName, as: UTF8.self) }

    /// Whether the entry is a directory.
    var isFolder: Bool { rawName.last == 0x2F }

    /// The last component of the name.
    var lastComponent: String { name.split(separator: "/").last.map(String.init) ?? name }
}

/// Lets libzip read from a `ReadableFile` and records the last read offset, because libzip does not report where the
/// bytes of an entry are. Used by one thread.
@safe
private final class ZipFileSource {
    private let file: ReadableFile
    private var position: Int64 = 0
    private var error = unsafe zip_error_t()
    /// The offset of the last read.
    private(set) var lastReadOffset: Int64 = 0

    /// Creates a source for `file`.
    init(_ file: ReadableFile) {
        self.file = file
        unsafe zip_error_init(&error)
    }

    /// The callback for libzip; its first argument is the unretained source.
    static let callback: zip_source_callback = { context, data, length, command in
        guard let context = unsafe context else { return -1 }
        let source = unsafe Unmanaged<ZipFileSource>.fromOpaque(context).takeUnretainedValue()
        return unsafe source.perform(command, data, length)
    }

    private func perform(
        _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
    ) -> zip_int64_t {
        switch command {
        case ZIP_SOURCE_OPEN:
            position = 0
            return 0
        case ZIP_SOURCE_READ:
            return unsafe read(data, length)
        case ZIP_SOURCE_CLOSE, ZIP_SOURCE_FREE:
            return 0
        case ZIP_SOURCE_STAT:
            return unsafe describe(data)
        case ZIP_SOURCE_ERROR:
            return unsafe zip_error_to_data(&error, data, length)
        case ZIP_SOURCE_SEEK:
            let target = unsafe zip_source_seek_compute_offset(
                UInt64(position), UInt64(file.size), data, length, &error)
            guard target >= 0 else { return -1 }
            position = target
            return 0
        case ZIP_SOURCE_TELL:
            return position
        case ZIP_SOURCE_SUPPORTS:
            return Self.supported
        default:
            unsafe zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
            return -1
        }
    }

    private static let supported: zip_int64_t = [
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
        ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
    ].reduce(0) { $0 | 1 << Int64($1.rawValue) }

    private func read(_ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t) -> zip_int64_t {
        lastReadOffset = position
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: data, count: data == nil ? 0 : Int(clamping: length))
        do {
            let count = try unsafe file.read(at: position, into: buffer)
            position += Int64(count)
            return Int64(count)
        } catch {
            unsafe zip_error_set(&self.error, ZIP_ER_READ, EIO)
            return -1
        }
    }

    private func describe(_ data: UnsafeMutableRawPointer?) -> zip_int64_t {
        guard let data = unsafe data else { return -1 }
        let status = unsafe data.assumingMemoryBound(to: zip_stat_t.self)
        unsafe zip_stat_init(status)
        unsafe status.pointee.size = UInt64(file.size)
        unsafe status.pointee.valid = UInt64(ZIP_STAT_SIZE)
        return unsafe zip_int64_t(MemoryLayout<zip_stat_t>.size)
    }
}
