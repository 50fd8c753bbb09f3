import CHealthSyncZip
import HealthSyncDomain

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
