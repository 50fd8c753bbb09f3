import Foundation
import HealthSyncDomain

/// File operations of the archive. They report errors by their `errno`.
enum ArchiveFiles {
    /// Returns the failure for an error of the system.
    static func failure(_ path: String, _ code: Int32) -> SyncFailure {
        guard code == ENOSPC || code == EDQUOT else {
            return SyncFailure(
                .storage, subject: path, reason: unsafe String(cString: strerror(code)),
                advice: "check the disk and the permissions of the folder")
        }
        return SyncFailure(.diskFull, subject: path, reason: "the disk is full", advice: "free some space on the disk")
    }

    /// Creates a folder (0700) and its missing parents.
    static func makeFolder(_ path: String) throws(SyncFailure) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path else { throw failure(path, errno) }
        try makeFolder(parent)
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    /// Makes the names in a folder durable. Some file systems cannot, and return EINVAL.
    static func syncFolder(_ path: String) throws(SyncFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path, errno) }
    }

    /// Writes all bytes; returns the `errno`, or 0.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return 0
    }

    /// Reads up to `bytes` bytes; returns none at the end of the file.
    static func piece(of descriptor: Int32, _ path: String, bytes: Int) throws(SyncFailure) -> [UInt8] {
        var code: Int32 = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: bytes) { buffer, count in
            var result = -1
            repeat {
                result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            if result < 0 { code = errno }
            count = max(0, result)
        }
        guard code == 0 else { throw failure(path, code) }
        return piece
    }

    /// Whether a file with this path exists, of any kind.
    static func exists(_ path: String) -> Bool {
        var details = stat()
        return unsafe lstat(path, &details) == 0
    }

    /// Returns the content of a file; `nil` if it cannot be read, is not a file, or has more than `limit` bytes.
    static func content(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var details = stat()
        guard unsafe fstat(descriptor, &details) == 0, details.st_mode & S_IFMT == S_IFREG else { return nil }
        var content: [UInt8] = []
        while content.count <= limit {
            guard let piece = try? piece(of: descriptor, path, bytes: limit + 1 - content.count) else { return nil }
            if piece.isEmpty { return content }
            content += piece
        }
        return nil
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(_ path: String) -> Int64 {
        var details = stat()
        return unsafe stat(path, &details) == 0 ? Int64(details.st_size) : 0
    }

    /// Calls `body` with every name in a folder, in any order; does nothing if the folder does not exist.
    static func forEachName(in folder: String, _ body: (String) -> Void) throws(SyncFailure) {
        guard let stream = unsafe opendir(folder) else {
            if errno == ENOENT { return }
            throw failure(folder, errno)
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasBytePrefix(".") { body(name) }
        }
    }
}
