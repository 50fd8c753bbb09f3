import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

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
    var exists: Bool { FileDetails.exist(ready) }

    /// Whether a killed restore left files that are not needed.
    var hasLeftovers: Bool { FileDetails.exist(draft) || FileDetails.exist(done) }

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
        if isRestored, !FileDetails.exist("\(ready)/\(part.name)") { return }
        // The log of the old database must not be applied to the new one.
        for suffix in ["-wal", "-shm", "-journal"] { try RestoreFiles.delete(part.path + suffix) }
        try replaceFile(part, isRestored: isRestored)
    }

    private func replaceFile(_ part: BackupPart, isRestored: Bool) throws {
        let new = "\(ready)/\(part.name)"
        if !isRestored { return try RestoreFiles.delete(part.path) }
        if FileDetails.exist(new) { try RestoreFiles.move(new, to: part.path) }
    }

    private func replaceFolder(_ part: BackupPart, isRestored: Bool, isByUser: Bool) throws {
        let new = "\(ready)/\(part.name)"
        let old = "\(ready)/\(part.name).old"
        if !FileDetails.exist(old), FileDetails.exist(part.path), !isRestored || FileDetails.exist(new) {
            try RestoreFiles.move(part.path, to: old)
        }
        if FileDetails.exist(new) { try RestoreFiles.move(new, to: part.path) }
        // A post that was accepted and not yet imported must not get lost.
        try PostCopy.keepWaiting(of: old, in: part.path, isByUser: isByUser)
    }
}

/// File operations of a restore. They report failures with the path.
enum RestoreFiles {
    static func move(_ path: String, to target: String) throws {
        try reporting(target) { () throws(SystemError) in try FileSystem.move(path, to: target) }
    }

    /// Deletes a file if it exists.
    static func delete(_ path: String) throws {
        try reporting(path) { () throws(SystemError) in try FileSystem.delete(path) }
    }

    /// Deletes a file or folder with everything in it if it exists.
    static func deleteAll(_ path: String) throws {
        guard FileDetails.exist(path) else { return }
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
        try reporting(folder) { () throws(SystemError) in try FileSystem.syncFolder(folder) }
    }

    /// Makes the names in a folder and all folders in it durable.
    fileprivate static func syncTree(_ folder: String) throws {
        for name in try PostCopy.names(in: folder) {
            let path = "\(folder)/\(name)"
            if try reporting(path, { () throws(SystemError) in try FileDetails(of: path, followsLinks: false) })
                .isFolder
            {
                try syncTree(path)
            }
        }
        try sync(folder)
    }

    @discardableResult
    private static func reporting<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(SyncFailure) -> Result {
        do throws(SystemError) { return try body() } catch {
            throw SyncFailure(
                .storage, subject: path, reason: "cannot be replaced: \(error.text)",
                advice: "check the disk and the permissions, then run the command again")
        }
    }
}

/// Copies the archives of posts of phones into a backup, while posts arrive and move between the folders of an archive.
struct PostCopy {
    let writer: BackupWriter
    let flag: CancellationFlag

    /// The folders of posts, in the order in which a post moves through them.
    private static let states = ["waiting", "decoded", "undecoded"]
    private static let outcomeSuffix = ".outcome"

    /// Copies the archive in `folder`, or with `isByUser` the archive of each user in it.
    func copy(_ folder: String, name: String, isByUser: Bool) throws {
        guard isByUser else { return try copyArchive(folder, name: name) }
        for user in try Self.names(in: folder) where user != "healthsync.lock" {
            try copyArchive("\(folder)/\(user)", name: "\(name)/\(user)")
        }
    }

    private func copyArchive(_ folder: String, name: String) throws {
        // The mark of a pulled post that is not in the backup has no effect, but without its mark a post would be pulled
        // and imported twice.
        for mark in try Self.names(in: folder + "/pulled") {
            _ = try writer.add("\(folder)/pulled/\(mark)", name: "\(name)/pulled/\(mark)", flag)
        }
        var copied: Set<String> = []
        // A post that moved while its folder was read is found in the next round.
        while try copyRound(folder, name: name, &copied) {}
    }

    /// Copies the posts that are not in `copied`. Returns whether there may be more.
    private func copyRound(_ folder: String, name: String, _ copied: inout Set<String>) throws -> Bool {
        var hasChanged = false
        for state in Self.states {
            for id in try Self.names(in: "\(folder)/\(state)")
            where !id.hasSuffix(Self.outcomeSuffix) && !copied.contains(id) {
                hasChanged = true
                let path = "\(state)/\(id)"
                guard try writer.add("\(folder)/\(path)", name: "\(name)/\(path)", flag) else { continue }
                copied.insert(id)
                guard state != "waiting" else { continue }
                let outcome = path + Self.outcomeSuffix
                _ = try writer.add("\(folder)/\(outcome)", name: "\(name)/\(outcome)", flag)
            }
        }
        return hasChanged
    }

    /// Moves the waiting posts of the archives in `replaced` to those in `new`, unless these contain them.
    fileprivate static func keepWaiting(of replaced: String, in new: String, isByUser: Bool) throws {
        guard isByUser else { return try keepWaiting(from: replaced, to: new) }
        for user in try names(in: replaced) where user != "healthsync.lock" {
            try keepWaiting(from: "\(replaced)/\(user)", to: "\(new)/\(user)")
        }
    }

    private static func keepWaiting(from old: String, to new: String) throws {
        let posts = try names(in: old + "/waiting")
        guard !posts.isEmpty else { return }
        try PosixFiles().makePrivateFolder(new + "/waiting")
        let restored = Set(try states.flatMap { try names(in: "\(new)/\($0)") })
        for post in posts where !restored.contains(post) {
            try RestoreFiles.move("\(old)/waiting/\(post)", to: "\(new)/waiting/\(post)")
        }
        try RestoreFiles.sync(new + "/waiting")
    }

    /// Returns the names in a folder, sorted, without hidden ones; none if it does not exist.
    static func names(in folder: String) throws(SyncFailure) -> [String] {
        try PosixFiles().names(in: folder).sorted()
    }
}
