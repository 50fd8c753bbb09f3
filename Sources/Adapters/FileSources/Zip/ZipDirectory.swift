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
