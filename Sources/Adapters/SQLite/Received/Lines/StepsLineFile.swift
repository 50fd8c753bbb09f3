import Foundation
import HealthSyncDomain

/// An open `steps.jsonl`.
final class StepsLineFile {
    private let path: String
    private let descriptor: Int32

    private static let access = O_RDWR | O_CLOEXEC | O_NOFOLLOW

    /// Opens the file, after creating the folder (0700) and the file (0600) durably if they are missing.
    init(path: String) throws {
        self.path = path
        var opened = unsafe open(path, Self.access)
        if opened < 0, errno == ENOENT { opened = try Self.create(path) }
        guard opened >= 0 else { throw Self.failure(path, errno) }
        descriptor = opened
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the size of the file in bytes.
    func length() throws -> Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
        return Int64(status.st_size)
    }

    /// Truncates the file to `length` bytes.
    func truncate(to length: Int64) throws {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure(path, errno) }
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int64) throws {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
                    off_t(offset) + off_t(done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path, errno) }
            done += count
        }
    }

    /// Syncs the file to disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
    }

    /// Creates the file and its parent folders. Syncs each changed folder, so that the new names are durable.
    private static func create(_ path: String) throws -> Int32 {
        let folder = (path as NSString).deletingLastPathComponent
        var changed = [folder]
        while let last = changed.last, !last.isEmpty, last != "/", !FileManager.default.fileExists(atPath: last) {
            changed.append((last as NSString).deletingLastPathComponent)
        }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let made = unsafe open(path, access | O_CREAT, 0o600)
        guard made >= 0 else { return made }
        for folder in changed {
            let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            guard descriptor >= 0, fsync(descriptor) == 0 else {
                let code = errno
                close(made)
                throw failure(path, code)
            }
        }
        return made
    }

    private static func failure(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be written: \(unsafe String(cString: strerror(code)))",
            advice: "check the folder of --jsonl and the free space on its disk")
    }
}
