import Foundation
import HealthSyncDomain

/// File operations of a restore. They report failures with the path.
enum RestoreFiles {
    static func exists(_ path: String) -> Bool {
        var details = stat()
        return unsafe lstat(path, &details) == 0
    }

    static func move(_ path: String, to target: String) throws {
        guard unsafe rename(path, target) == 0 else { throw failure(target, errno) }
    }

    /// Deletes a file if it exists.
    static func delete(_ path: String) throws {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure(path, errno) }
    }

    /// Deletes a file or folder with everything in it if it exists.
    static func deleteAll(_ path: String) throws {
        guard exists(path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw SyncFailure(
                .storage, subject: path, reason: "cannot be deleted",
                advice: "check the permissions of its folder, or delete it yourself")
        }
    }

    /// Makes the names in a folder durable.
    static func sync(_ folder: String) throws {
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(folder, errno) }
    }

    /// Makes the names in a folder and all folders in it durable.
    static func syncTree(_ folder: String) throws {
        for name in PostCopy.names(in: folder) {
            var details = stat()
            if unsafe lstat("\(folder)/\(name)", &details) == 0, details.st_mode & S_IFMT == S_IFDIR {
                try syncTree("\(folder)/\(name)")
            }
        }
        try sync(folder)
    }

    private static func failure(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be replaced: \(SystemError.text(code))",
            advice: "check the disk and the permissions, then run the command again")
    }
}
