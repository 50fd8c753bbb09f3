import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// Receives files in a folder that the process locks while it has one.
package final class FolderUploads: FileUploads {
    private let folder: String
    /// The locked folder while a file exists.
    private let lock = Mutex<OpenFile?>(nil)

    /// The longest name of a file in bytes; the start of a longer one is left out, so that its extension remains.
    package static let longestName = 100

    /// Creates a receiver in `folder`, which need not exist. Deletes what a killed process left there.
    package init(folder: String) {
        self.folder = folder
        guard let locked = lockedFolder() else { return }
        removeFiles()
        try? locked.close()
    }

    package func begin(_ name: String) throws(SyncFailure) -> any FileUpload {
        try PosixFiles().makePrivateFolder(folder)
        guard let locked = lockedFolder() else {
            throw SyncFailure(
                .busy, subject: name, reason: "another file is being imported", advice: "wait until it has finished")
        }
        removeFiles()
        let path = "\(folder)/\(Self.safeName(name))"
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(creating: path, ifExists: .fail) } catch {
            throw FileFailure.cannotCreate(path, error.text)
        }
        lock.withLock { $0 = locked }
        return Upload(uploads: self, file: file, name: name, path: path)
    }

    package func remove(_ file: UploadedFile) { remove(file.path) }

    fileprivate func remove(_ path: String) {
        _ = try? FileSystem.delete(path)
        lock.withLock { locked in
            try? locked?.close()
            locked = nil
        }
    }

    /// Returns the locked folder; `nil` if it does not exist or a file is received there.
    private func lockedFolder() -> OpenFile? {
        guard let opened = try? OpenFile(folder: folder), (try? opened.lock()) == true else { return nil }
        return opened
    }

    private func removeFiles() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            _ = try? FileSystem.delete("\(folder)/\(name)")
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
    private let uploads: FolderUploads
    private let name: String
    private let path: String
    private let file: OpenFile
    /// Whether the file was finished or discarded.
    private let isOver = Mutex(false)

    init(uploads: FolderUploads, file: OpenFile, name: String, path: String) {
        self.uploads = uploads
        self.file = file
        self.name = name
        self.path = path
    }

    deinit { discard() }

    func append(_ bytes: ArraySlice<UInt8>) throws(SyncFailure) {
        do throws(SystemError) { try file.write(bytes) } catch { throw failure(error) }
    }

    func finish() throws(SyncFailure) -> UploadedFile {
        do throws(SystemError) {
            let size = try file.details().size
            try file.close()
            isOver.withLock { $0 = true }
            return UploadedFile(name: name, path: path, bytes: size)
        } catch {
            discard()
            throw failure(error)
        }
    }

    func discard() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        guard !wasOver else { return }
        try? file.close()
        uploads.remove(path)
    }

    private func failure(_ error: SystemError) -> SyncFailure {
        guard error.isDiskFull else {
            return SyncFailure(
                .storage, subject: name, reason: "cannot be stored: \(error.text)",
                advice: "check the disk of the data folder")
        }
        return SyncFailure(
            .diskFull, subject: name, reason: "the disk is full", advice: "free some space on it and try again")
    }
}
