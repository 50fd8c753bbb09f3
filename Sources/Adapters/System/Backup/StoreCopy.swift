import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Writes one backup of a store.
struct StoreCopy {
    let store: BackupStore
    let databases: FileBackups.Databases
    let version: String
    let created: Instant

    /// Throws `.noInput` if the store does not exist.
    func requireStore() throws {
        let databases = store.parts.filter { if case .database = $0.content { true } else { false } }
        // A server may have tokens before its first record.
        let needed = store.kind == "server" ? databases : Array(databases.prefix(1))
        guard !needed.contains(where: { RestoreFiles.exists($0.path) }) else { return }
        throw SyncFailure(
            .noInput, subject: needed.first?.path ?? "", reason: "no such database",
            advice: "name the folder of the local store with --data-dir, or the store of a server with --store")
    }

    /// Writes the backup to an open file, which failures call `subject`.
    func write(to descriptor: Int32, subject: String, _ flag: CancellationFlag) throws -> BackupSummary {
        let scratch = store.scratch("backup-\(getpid()).new")
        deleteLeftovers()
        try PosixFiles().makePrivateFolder(scratch)
        defer { try? RestoreFiles.deleteAll(scratch) }
        let writer = try BackupWriter(
            to: descriptor, subject: subject, kind: store.kind, created: created, version: version)
        for part in store.parts {
            if case .posts(let isByUser) = part.content {
                try PostCopy(writer: writer, flag: flag).copy(part.path, name: part.name, isByUser: isByUser)
            }
        }
        for part in store.parts {
            try flag.check()
            switch part.content {
            case .posts: break
            case .file: _ = try writer.add(part.path, name: part.name, flag)
            case .database(let kind):
                guard RestoreFiles.exists(part.path) else { continue }
                let copy = "\(scratch)/\(part.name)"
                try databases.copy(part.path, copy)
                do {
                    try databases.check(copy, kind)
                } catch let failure as SyncFailure {
                    throw SyncFailure(.storage, subject: part.path, reason: failure.reason, advice: failure.advice)
                }
                _ = try writer.add(copy, name: part.name, flag)
                try RestoreFiles.delete(copy)
            }
        }
        return try writer.finish()
    }

    /// Deletes the copies of killed backups. Another backup that is running is not affected, as its process exists.
    private func deleteLeftovers() {
        let pattern = store.scratch("backup-")
        let folder = BackupPaths.folder(of: pattern)
        let prefix = String(pattern.dropFirst(folder.count + 1))
        for name in PostCopy.names(in: folder) where name.hasPrefix(prefix) && name.hasSuffix(".new") {
            guard let process = Int32(name.dropFirst(prefix.count).dropLast(4)), process != getpid() else { continue }
            if kill(process, 0) != 0, errno == ESRCH { try? RestoreFiles.deleteAll("\(folder)/\(name)") }
        }
    }
}
