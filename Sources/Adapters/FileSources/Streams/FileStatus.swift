import Foundation
import HealthSyncDomain

/// The status of a file, with links followed. Equal as long as it is the same, unmodified file.
struct FileStatus: Hashable {
    let isRegular: Bool
    let isFolder: Bool
    /// The size in bytes.
    let size: Int64
    /// The modification time in nanoseconds since 1970. 64 bits cover only the years 1677 to 2262, and a file can have
    /// any time.
    let modified: Int128
    private let device: UInt64
    private let inode: UInt64

    /// Reads the status of the file at `path`. Throws `.noInput` if it does not exist or cannot be examined.
    init(path: String) throws(SyncFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Self.failure(path, "cannot be examined", errno) }
        self.init(status)
    }

    /// Reads the status of the file open at `descriptor`, which was opened at `path`.
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
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Returns a failure with `.noInput`; `code` is an `errno`.
    static func failure(_ path: String, _ what: String, _ code: Int32) -> SyncFailure {
        guard code != ENOENT else {
            return SyncFailure(.noInput, subject: path, reason: "no such file or folder", advice: "check the path")
        }
        return SyncFailure(
            .noInput, subject: path, reason: "\(what): \(unsafe String(cString: strerror(code)))",
            advice: "check that you have permission to read it")
    }
}
