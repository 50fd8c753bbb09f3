import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The file of a backup while it is written: hidden, next to its final name.
struct BackupDraft {
    let path: String
    /// Whether an existing file is replaced.
    let replaces: Bool

    /// Creates the file (0600), lets `body` write it, makes it durable and gives it its name. Deletes it after an error.
    func write<Result>(_ body: (_ descriptor: Int32) throws -> Result) throws -> Result {
        if RestoreFiles.exists(path), !replaces { throw FileFailure.exists(path, advice: Self.advice) }
        var details = stat()
        guard unsafe stat(path, &details) != 0 || details.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure.cannotCreate(path, "it is not a file")
        }
        let draft = try PosixFiles().createDraft(of: path)
        defer {
            close(draft.descriptor)
            _ = unsafe unlink(draft.path)
        }
        let result = try body(draft.descriptor)
        guard fchmod(draft.descriptor, 0o600) == 0, fsync(draft.descriptor) == 0 else {
            throw FileFailure.cannotCreate(path, SystemError.text(errno))
        }
        if replaces {
            try RestoreFiles.move(draft.path, to: path)
            try RestoreFiles.sync(BackupPaths.folder(of: path))
        } else if try !PosixFiles().putInPlace(draft.path, as: path) {
            throw FileFailure.exists(path, advice: Self.advice)
        }
        return result
    }

    private static let advice = "use another name, or replace it with --force"
}
