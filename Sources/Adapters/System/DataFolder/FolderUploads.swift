import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Receives files in a folder that the process locks while it has one.
package final class FolderUploads: FileUploads {
    private let folder: String
    /// The locked folder while a file exists; -1 otherwise.
    private let lock = Mutex<Int32>(-1)

    /// The longest name of a file in bytes; the start of a longer one is left out, so that its extension remains.
    package static let longestName = 100

    /// Creates a receiver in `folder`, which need not exist. Deletes what a killed process left there.
    package init(folder: String) {
        self.folder = folder
        guard let descriptor = try? lockedFolder() else { return }
        removeFiles()
        unlock(descriptor)
    }

    package func begin(_ name: String) throws(SyncFailure) -> any FileUpload {
        try PosixFiles().makePrivateFolder(folder)
        guard let descriptor = try lockedFolder() else {
            throw SyncFailure(
                .busy, subject: name, reason: "another file is being imported", advice: "wait until it has finished")
        }
        removeFiles()
        let path = "\(folder)/\(Self.safeName(name))"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            let code = errno
            unlock(descriptor)
            throw FileFailure.cannotCreate(path, SystemError.text(code))
        }
        lock.withLock { $0 = descriptor }
        return Upload(uploads: self, descriptor: file, name: name, path: path)
    }

    package func remove(_ file: UploadedFile) { remove(file.path) }

    fileprivate func remove(_ path: String) {
        _ = unsafe unlink(path)
        lock.withLock { descriptor in
            if descriptor >= 0 { unlock(descriptor) }
            descriptor = -1
        }
    }

    private func unlock(_ descriptor: Int32) {
        // A child process that has not yet reached `exec` holds a copy of the descriptor, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Returns the locked folder; `nil` if it does not exist or a file is received there.
    private func lockedFolder() throws(SyncFailure) -> Int32? {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private func removeFiles() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            _ = unsafe unlink("\(folder)/\(name)")
        }
    }

    /// Returns a name of a file for `name`, which may be a path of any system: its last part, of letters, digits, dots,
    /// hyphens and underscores.
    package static func safeName(_ name: String) -> String {
        let last = name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last ?? [][...]
        let bytes = last.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): byte
            default: UInt8(ascii: "_")
            }
        }
        let text = String(decoding: bytes.suffix(longestName), as: UTF8.self)
        // A file that begins with a dot is hidden, and `..` is a folder.
        return text.isEmpty || text.utf8.first == UInt8(ascii: ".") ? "file" + text : text
    }
}

/// A file in the folder of its receiver.
private final class Upload: FileUpload {
    private struct State {
        /// -1 after `finish` or `discard`.
        var descriptor: Int32
        var bytes: Int64 = 0
    }

    private let uploads: FolderUploads
    private let name: String
    private let path: String
    private let state: Mutex<State>

    init(uploads: FolderUploads, descriptor: Int32, name: String, path: String) {
        self.uploads = uploads
        self.name = name
        self.path = path
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { discard() }

    func append(_ bytes: ArraySlice<UInt8>) throws(SyncFailure) {
        let code: Int32 = state.withLock { state in
            guard state.descriptor >= 0 else { return EBADF }
            state.bytes += Int64(bytes.count)
            return unsafe bytes.withUnsafeBytes { unsafe DescriptorWriter.write($0, to: state.descriptor) }
        }
        guard code == 0 else { throw failure(code) }
    }

    func finish() throws(SyncFailure) -> UploadedFile {
        let (code, bytes) = state.withLock { state in
            defer { state.descriptor = -1 }
            guard state.descriptor >= 0 else { return (EBADF, state.bytes) }
            return (close(state.descriptor) == 0 ? 0 : errno, state.bytes)
        }
        guard code == 0 else {
            uploads.remove(path)
            throw failure(code)
        }
        return UploadedFile(name: name, path: path, bytes: bytes)
    }

    func discard() {
        let isOpen = state.withLock { state in
            defer { state.descriptor = -1 }
            if state.descriptor >= 0 { close(state.descriptor) }
            return state.descriptor >= 0
        }
        if isOpen { uploads.remove(path) }
    }

    private func failure(_ code: Int32) -> SyncFailure {
        guard code == ENOSPC || code == EDQUOT else {
            return SyncFailure(
                .storage, subject: name, reason: "cannot be stored: \(SystemError.text(code))",
                advice: "check the disk of the data folder")
        }
        return SyncFailure(
            .diskFull, subject: name, reason: "the disk is full", advice: "free some space on it and try again")
    }
}
