import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// A restore whose files are complete. Renaming its folder to `restore.ready` is the point of no return: from then on
/// every command first puts the files in place, so that a kill leaves either the old or the restored store.
struct PendingRestore {
    let store: BackupStore

    /// The folder into which files are extracted.
    var draft: String { store.scratch("restore.new") }
    /// The folder of a restore that must be completed.
    var ready: String { store.scratch("restore.ready") }
    /// The folder of a completed restore, with what it replaced.
    private var done: String { store.scratch("restore.done") }

    /// Whether a killed restore must be completed.
    var exists: Bool { RestoreFiles.exists(ready) }

    /// Whether a killed restore left files that are not needed.
    var hasLeftovers: Bool { RestoreFiles.exists(draft) || RestoreFiles.exists(done) }

    /// Deletes what killed restores left.
    func deleteLeftovers() throws {
        try RestoreFiles.deleteAll(draft)
        try RestoreFiles.deleteAll(done)
    }

    /// Passes the point of no return. The names of the extracted files are noted in the folder.
    func commit(files: some Sequence<String>) throws {
        let parts = Set(files.map { String($0.prefix { $0 != "/" }) })
        _ = try PosixFiles().makePrivateFile(draft + "/parts", Array(parts.sorted().joined(separator: "\n").utf8))
        try RestoreFiles.syncTree(draft)
        try RestoreFiles.move(draft, to: ready)
        try RestoreFiles.sync(BackupPaths.folder(of: ready))
    }

    /// Puts the files in place. May be repeated after a kill at any point. The caller holds the lock of the store.
    func finish() throws {
        let list = try PosixFiles().read(ready + "/parts", limit: 1 << 16)
        let names = Set(String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init))
        for part in store.parts {
            switch part.content {
            case .database: try replaceDatabase(part, isRestored: names.contains(part.name))
            case .file: try replaceFile(part, isRestored: names.contains(part.name))
            case .posts(let isByUser):
                try replaceFolder(part, isRestored: names.contains(part.name), isByUser: isByUser)
            }
        }
        for folder in Set(store.parts.map { BackupPaths.folder(of: $0.path) }) { try RestoreFiles.sync(folder) }
        try RestoreFiles.deleteAll(done)
        try RestoreFiles.move(ready, to: done)
        try RestoreFiles.sync(BackupPaths.folder(of: done))
        try RestoreFiles.deleteAll(done)
    }

    private func replaceDatabase(_ part: BackupPart, isRestored: Bool) throws {
        if isRestored, !RestoreFiles.exists("\(ready)/\(part.name)") { return }
        // The log of the old database must not be applied to the new one.
        for suffix in ["-wal", "-shm", "-journal"] { try RestoreFiles.delete(part.path + suffix) }
        try replaceFile(part, isRestored: isRestored)
    }

    private func replaceFile(_ part: BackupPart, isRestored: Bool) throws {
        let new = "\(ready)/\(part.name)"
        if !isRestored { return try RestoreFiles.delete(part.path) }
        if RestoreFiles.exists(new) { try RestoreFiles.move(new, to: part.path) }
    }

    private func replaceFolder(_ part: BackupPart, isRestored: Bool, isByUser: Bool) throws {
        let new = "\(ready)/\(part.name)"
        let old = "\(ready)/\(part.name).old"
        if !RestoreFiles.exists(old), RestoreFiles.exists(part.path), !isRestored || RestoreFiles.exists(new) {
            try RestoreFiles.move(part.path, to: old)
        }
        if RestoreFiles.exists(new) { try RestoreFiles.move(new, to: part.path) }
        // A post that was accepted and not yet imported must not get lost.
        try PostCopy.keepWaiting(of: old, in: part.path, isByUser: isByUser)
    }
}
