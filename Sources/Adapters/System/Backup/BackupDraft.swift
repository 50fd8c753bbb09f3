import Foundation
import HealthSyncDomain

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
        let folder = BackupPaths.folder(of: path)
        let name = path.split(separator: "/").last ?? ""
        let draft = "\(folder)/.\(name).\(getpid()).new"
        let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure.cannotCreate(path, SystemError.text(errno)) }
        defer {
            close(descriptor)
            _ = unsafe unlink(draft)
        }
        let result = try body(descriptor)
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            throw FileFailure.cannotCreate(path, SystemError.text(errno))
        }
        if replaces {
            try RestoreFiles.move(draft, to: path)
            try RestoreFiles.sync(folder)
        } else if try !PosixFiles().putInPlace(draft, as: path) {
            throw FileFailure.exists(path, advice: Self.advice)
        }
        return result
    }

    private static let advice = "use another name, or replace it with --force"
}
