import Foundation
import HealthSyncDomain

/// One open `steps.jsonl`.
final class StepsLineFile {
    private let path: String
    private let descriptor: Int32

    private static let access = O_RDWR | O_CLOEXEC | O_NOFOLLOW

    /// Opens the file, with folder (0700) and file (0600) made where they are missing; what was made is on disk then.
    init(path: String) throws {
        self.path = path
        var opened = unsafe open(path, Self.access)
        if opened < 0, errno == ENOENT { opened = try Self.make(path) }
        guard opened >= 0 else { throw Self.failure(path, errno) }
        descriptor = opened
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes in the file.
    func length() throws -> Int64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
        return Int64(status.st_size)
    }

    /// Cuts off what lies behind `length`.
    func cut(to length: Int64) throws {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure(path, errno) }
    }

    /// Writes all of `bytes` from `offset` on.
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

    /// Returns when everything is on disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
    }

    /// Makes the file and the folders above it. Each name is on disk when the folder is that it stands in.
    private static func make(_ path: String) throws -> Int32 {
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
            .storage, subject: path, reason: "it cannot be written (\(unsafe String(cString: strerror(code))))",
            advice: "check the folder of --jsonl and the space left on its disk")
    }
}
