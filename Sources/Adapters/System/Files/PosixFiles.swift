import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// Files accessed by POSIX calls, because Foundation crashes or hides the reason on some errors.
package struct PosixFiles: LocalFiles {
    package init() {}

    package func status(of path: String) throws(SyncFailure) -> LocalFileStatus? {
        do throws(SystemError) {
            let details = try FileDetails(of: path)
            return LocalFileStatus(isFolder: details.isFolder, size: details.size, permissions: details.permissions)
        } catch {
            if error.isMissing { return nil }
            throw Self.unreadable(path, error)
        }
    }

    package func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try OpenFile(reading: path).readAll(limit: limit)
        } catch {
            throw Self.unreadable(path, error)
        }
        if let bytes { return bytes }
        throw SyncFailure(
            .noInput, subject: path, reason: "is larger than \(limit) bytes", advice: "check the path")
    }

    package func makePrivateFolder(_ path: String) throws(SyncFailure) {
        try creating(path) { () throws(SystemError) in try FileSystem.makeFolder(path) }
    }

    package func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool {
        try creating(path) { () throws(SystemError) in try FileSystem.create(path, with: bytes) }
    }

    /// Writes a file (0600) atomically, in place of an existing one. Throws `.cannotCreate`.
    package func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) {
        // A link stays, and the file that it names is replaced.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        try creating(path) { () throws(SystemError) in try FileSystem.replace(path, with: bytes) }
    }

    /// Deletes a file; does nothing if it does not exist. Throws `.cannotCreate`.
    package func deleteFile(_ path: String) throws(SyncFailure) {
        do throws(SystemError) { try FileSystem.delete(path) } catch {
            throw SyncFailure(
                .cannotCreate, subject: path, reason: "cannot be deleted: \(error.text)",
                advice: "check the permissions of its folder")
        }
    }

    /// Returns the names in a folder without hidden ones, in any order; none if it does not exist. Throws `.noInput` if it
    /// is unreadable.
    package func names(in folder: String) throws(SyncFailure) -> [String] {
        var names: [String] = []
        do throws(SystemError) { try FileSystem.forEachName(in: folder) { names.append($0) } } catch {
            throw Self.unreadable(folder, error)
        }
        return names
    }

    package func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK | X_OK) == 0 }

    package func freeBytes(at path: String) -> Int64? {
        var volume = statvfs()
        guard unsafe statvfs(path, &volume) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: volume.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: volume.f_frsize))
        return overflow ? .max : bytes
    }

    private func creating<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(SyncFailure) -> Result {
        do throws(SystemError) { return try body() } catch {
            throw SyncFailure(
                .cannotCreate, subject: path, reason: "cannot be created: \(error.text)",
                advice: error.isDiskFull ? "free some space on the disk" : "choose a writable folder")
        }
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> SyncFailure {
        SyncFailure(
            .noInput, subject: path, reason: "cannot be read: \(error.text)",
            advice: error.code == ENOENT ? "check the path" : "check the path and its permissions")
    }
}
