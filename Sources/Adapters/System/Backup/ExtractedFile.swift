import Foundation
import HealthSyncDomain

/// A file of a backup as it is extracted, readable only by its owner.
final class ExtractedFile {
    private let path: String
    private var descriptor: Int32

    /// Creates the file `name` and its folders in `folder`.
    init(_ folder: String, name: String) throws {
        path = "\(folder)/\(name)"
        try PosixFiles().makePrivateFolder(BackupPaths.folder(of: path))
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure.cannotCreate(path, SystemError.text(errno)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) throws {
        try require(DescriptorWriter.write(bytes, to: descriptor))
    }

    /// Makes the content durable and closes the file.
    func finish() throws {
        let synced = fsync(descriptor) == 0 ? 0 : errno
        let closed = close(descriptor) == 0 ? 0 : errno
        descriptor = -1
        try require(synced)
        try require(closed)
    }

    private func require(_ code: Int32) throws {
        guard code != 0 else { return }
        throw SyncFailure(
            .storage, subject: path, reason: "cannot be written: \(SystemError.text(code))",
            advice: "free some space on the disk, then run the command again; nothing was changed")
    }
}
