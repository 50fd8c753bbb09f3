import CHealthSyncZip
import HealthSyncDomain

/// Apple's archive, written by libzip, which puts it in its place only when it is whole.
struct ExportArchive {
    struct Entry {
        let name: String
        /// The entry's bytes, piece by piece, `nil` after the last.
        let next: () throws -> [UInt8]?
    }

    let path: String
    /// The date of every entry, in the two numbers of MS-DOS.
    let date: UInt16
    let time: UInt16

    // Between speed and size: a tenth larger than the best, several times as fast.
    private static let compressionLevel: UInt32 = 3

    /// Writes `entries` in order. What an entry's `next` throws is thrown on; failures of the file are `SyncFailure`
    /// with `.cannotCreate`. In both cases the file at the path stays as it was.
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
        let place = UInt64(index)
        return unsafe zip_set_file_compression(archive, place, ZIP_CM_DEFLATE, Self.compressionLevel) == 0
            && zip_file_set_dostime(archive, place, time, date, 0) == 0
            && zip_file_set_external_attributes(archive, place, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
    }

    private func reason(of archive: OpaquePointer) -> String {
        unsafe String(cString: zip_error_strerror(zip_get_error(archive)))
    }
}
