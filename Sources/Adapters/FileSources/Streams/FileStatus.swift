import Foundation
import HealthSyncDomain

/// What stands at a path, links followed.
struct FileStatus {
    let isRegular: Bool
    let isFolder: Bool
    /// Size in bytes.
    let size: Int64
    /// Time of the last change, nanoseconds since 1970.
    let modified: Int64

    /// What stands at `path`. Throws `.noInput` when that is nothing, or cannot be told.
    init(path: String) throws(SyncFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Self.failure(path, "cannot be found", errno) }
        self.init(status)
    }

    /// What is open at `descriptor`, which was opened at `path`.
    init(descriptor: Int32, path: String) throws(SyncFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, "cannot be examined", errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int64(status.st_size)
        #if canImport(Darwin)
            modified = Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
        #else
            modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        #endif
    }

    /// A failure with `.noInput`; `code` is an `errno`.
    static func failure(_ path: String, _ what: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .noInput, subject: path, reason: "\(what): \(unsafe String(cString: strerror(code)))",
            advice: code == ENOENT ? "check the path" : "check that you may read it")
    }
}
