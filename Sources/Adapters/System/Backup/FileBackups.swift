import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// Backups as tar archives, with a description first and the checksums of all files last.
package struct FileBackups: StoreBackups {
    /// Copies and checks databases, which another adapter does.
    package struct Databases: Sendable {
        let copy: @Sendable (_ path: String, _ target: String) throws -> Void
        let check: @Sendable (_ path: String, BackupDatabase) throws -> Void

        /// - Parameters:
        ///   - copy: copies one consistent state of a database to a new file.
        ///   - check: throws for a file that is not an intact database of that kind.
        package init(
            copy: @escaping @Sendable (_ path: String, _ target: String) throws -> Void,
            check: @escaping @Sendable (_ path: String, BackupDatabase) throws -> Void
        ) {
            self.copy = copy
            self.check = check
        }
    }

    private let databases: Databases
    private let time: any TimeSource

    package init(databases: Databases, time: any TimeSource) {
        self.databases = databases
        self.time = time
    }

    package func write(
        _ store: BackupStore, to file: BackupFile, replaces: Bool, version: String
    ) async throws -> BackupSummary {
        try await BlockingWork.run("healthsync.backup") { [databases, time] flag in
            let backup = StoreCopy(store: store, databases: databases, version: version, created: time.now())
            try backup.requireStore()
            guard case .path(let path) = file else {
                guard let output = try? OpenFile(duplicateOf: STDOUT_FILENO) else {
                    throw FileFailure.cannotCreate("standard output", "it is not open")
                }
                return try backup.write(to: output, subject: "standard output", flag)
            }
            return try BackupDraft(path: path, replaces: replaces).write { file in
                let written = try backup.write(to: file, subject: path, flag)
                guard (try? file.rewind()) != nil,
                    try BackupReader.read(file, subject: path, of: store, into: nil, flag).summary.bytes
                        == written.bytes
                else {
                    throw SyncFailure(
                        .storage, subject: path, reason: "the file does not contain what was written",
                        advice: "check the disk, then run the command again")
                }
                return written
            }
        }
    }

    package func check(_ file: BackupFile) async throws -> BackupSummary {
        try await BlockingWork.run("healthsync.backup") { flag in
            try Self.reading(file) {
                try BackupReader.read($0, subject: $1, of: nil, into: nil, flag).summary
            }
        }
    }

    package func restore(
        _ store: BackupStore, from file: BackupFile, replaces: Bool, lockWaitMilliseconds: Int64
    ) async throws -> BackupSummary {
        try Self.requireReadable(file)
        let lock = try await RunLock.acquire(
            inFolder: store.lockFolder, waitMilliseconds: lockWaitMilliseconds, time: time)
        defer { lock.release() }
        return try await BlockingWork.run("healthsync.restore") { [databases] flag in
            let pending = PendingRestore(store: store)
            if pending.exists { try pending.finish() }
            if !replaces, let part = store.parts.first(where: { FileDetails.exist($0.path) }) {
                throw FileFailure.exists(
                    part.path, advice: "choose another store, or replace all of its data with --force")
            }
            try pending.deleteLeftovers()
            do {
                try PosixFiles().makePrivateFolder(pending.draft)
                let (summary, sums) = try Self.reading(file) {
                    try BackupReader.read($0, subject: $1, of: store, into: pending.draft, flag)
                }
                try check(store, in: pending.draft, subject: file.subject, databases)
                try flag.check()
                try pending.commit(files: sums.keys)
                try pending.finish()
                return summary
            } catch {
                try? RestoreFiles.deleteAll(pending.draft)
                throw error
            }
        }
    }

    package func finishRestore(of store: BackupStore) async throws {
        let pending = PendingRestore(store: store)
        guard pending.exists else {
            // What a killed restore extracted or replaced is deleted once nothing uses the store.
            if pending.hasLeftovers,
                let lock = try? await RunLock.acquire(inFolder: store.lockFolder, waitMilliseconds: 0, time: time)
            {
                defer { lock.release() }
                try? await BlockingWork.run("healthsync.restore") { _ in try pending.deleteLeftovers() }
            }
            return
        }
        let lock = try await RunLock.acquire(inFolder: store.lockFolder, waitMilliseconds: 5_000, time: time)
        defer { lock.release() }
        try await BlockingWork.run("healthsync.restore") { _ in
            if pending.exists { try pending.finish() }
        }
    }

    /// Checks the databases that were extracted into `folder`.
    private func check(_ store: BackupStore, in folder: String, subject: String, _ databases: Databases) throws {
        for (place, part) in store.parts.enumerated() {
            guard case .database(let kind) = part.content else { continue }
            let path = "\(folder)/\(part.name)"
            guard FileDetails.exist(path) else {
                if place > 0 || store.kind == "server" { continue }
                throw SyncFailure(
                    .badInput, subject: subject, reason: "it contains no database",
                    advice: "use another copy of the backup; nothing was changed")
            }
            do {
                try databases.check(path, kind)
            } catch let failure as SyncFailure {
                throw SyncFailure(
                    .badInput, subject: subject, reason: "\(part.name): \(failure.reason)",
                    advice: "use another copy of the backup, or update healthsync; nothing was changed")
            }
        }
    }

    /// Throws if the file cannot be read, before anything is proposed that replaces data. It is not opened: a pipe is read once.
    private static func requireReadable(_ file: BackupFile) throws(SyncFailure) {
        guard case .path(let path) = file, unsafe access(path, R_OK) != 0 else { return }
        throw unreadable(path, .last)
    }

    private static func unreadable(_ subject: String, _ error: SystemError) -> SyncFailure {
        SyncFailure(
            .noInput, subject: subject, reason: "cannot be read: \(error.text)",
            advice: "check the path and its permissions")
    }

    private static func reading<Result>(
        _ file: BackupFile, _ body: (_ opened: OpenFile, _ subject: String) throws -> Result
    ) throws -> Result {
        let opened: OpenFile
        do throws(SystemError) {
            opened =
                if case .path(let path) = file { try OpenFile(reading: path, waits: true) } else {
                    try OpenFile(duplicateOf: STDIN_FILENO)
                }
        } catch {
            throw unreadable(file.subject, error)
        }
        return try body(opened, file.subject)
    }
}

extension BackupFile {
    fileprivate var subject: String { if case .path(let path) = self { path } else { "standard input" } }
}

/// Writes one backup of a store.
private struct StoreCopy {
    let store: BackupStore
    let databases: FileBackups.Databases
    let version: String
    let created: Instant

    /// Throws `.noInput` if the store does not exist.
    func requireStore() throws {
        let databases = store.parts.filter { if case .database = $0.content { true } else { false } }
        // A server may have tokens before its first record.
        let needed = store.kind == "server" ? databases : Array(databases.prefix(1))
        guard !needed.contains(where: { FileDetails.exist($0.path) }) else { return }
        throw SyncFailure(
            .noInput, subject: needed.first?.path ?? "", reason: "no such database",
            advice: "name the folder of the local store with --data-dir, or the store of a server with --store")
    }

    /// Writes the backup to an open file, which failures call `subject`.
    func write(to file: OpenFile, subject: String, _ flag: CancellationFlag) throws -> BackupSummary {
        let scratch = store.scratch("backup-\(getpid()).new")
        deleteLeftovers()
        // In a container every process may have the same number.
        try RestoreFiles.deleteAll(scratch)
        try PosixFiles().makePrivateFolder(scratch)
        defer { try? RestoreFiles.deleteAll(scratch) }
        let writer = try BackupWriter(
            to: file, subject: subject, kind: store.kind, created: created, version: version)
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
                guard FileDetails.exist(part.path) else { continue }
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
        for name in (try? PostCopy.names(in: folder)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(".new") {
            guard let process = Int32(name.dropFirst(prefix.count).dropLast(4)), process != getpid() else { continue }
            if kill(process, 0) != 0, errno == ESRCH { try? RestoreFiles.deleteAll("\(folder)/\(name)") }
        }
    }
}

/// The file of a backup while it is written: hidden, next to its final name.
private struct BackupDraft {
    let path: String
    /// Whether an existing file is replaced.
    let replaces: Bool

    /// Creates the file (0600), lets `body` write it, makes it durable and gives it its name. Deletes it after an error.
    func write<Result>(_ body: (_ file: OpenFile) throws -> Result) throws -> Result {
        if FileDetails.exist(path), !replaces { throw FileFailure.exists(path, advice: Self.advice) }
        if let details = try? FileDetails(of: path), !details.isRegular {
            throw FileFailure.cannotCreate(path, "it is not a file")
        }
        do {
            let draft = try FileDraft(of: path)
            let result = try body(draft.file)
            if replaces {
                try draft.replaceTarget()
            } else if try !draft.createTarget() {
                throw FileFailure.exists(path, advice: Self.advice)
            }
            return result
        } catch let error as SystemError {
            throw FileFailure.cannotCreate(path, error.text)
        }
    }

    private static let advice = "use another name, or replace it with --force"
}
