package import HealthSyncDomain

/// A store that can be backed up as a whole.
package enum BackupStore: Sendable, Hashable {
    /// The local store: the data folder without the store of a server in it.
    case local(dataDirectory: String)
    /// The store of a receiving server on SQLite: its database, the tokens next to it, and the folder of waiting posts.
    case server(path: String, inboxFolder: String)
}

/// Where a backup is written to or read from.
package enum BackupFile: Sendable, Hashable {
    /// A file at this absolute path.
    case path(String)
    /// Standard output or standard input.
    case standardStream
}

/// The contents of a backup.
package struct BackupSummary: Sendable, Hashable {
    /// When the backup was made.
    package var created: Instant
    /// The number of files in it, without the two that describe it.
    package var files: Int
    /// The total size of these files in bytes.
    package var bytes: Int64

    package init(created: Instant, files: Int, bytes: Int64) {
        self.created = created
        self.files = files
        self.bytes = bytes
    }
}

/// Writes and restores backups of stores.
///
/// Contract: a backup is one consistent state of each database, also while other processes write to it. Restoring is
/// atomic: after a kill at any point, the next command finds either the old or the restored store.
package protocol StoreBackups: Sendable {
    /// Writes a backup of `store`, readable only by its owner, and reads it again to verify it.
    ///
    /// - Parameter replaces: whether an existing file is replaced, once the new one is complete.
    /// - Throws: `SyncFailure` with `.noInput` if the store does not exist, `.cannotCreate` if the file exists or cannot
    ///   be created, `.storage` if a database is damaged or a write fails.
    func write(_ store: BackupStore, to file: BackupFile, replaces: Bool, version: String) async throws -> BackupSummary

    /// Reads a whole backup and compares its checksums. Throws like `restore`.
    func check(_ file: BackupFile) async throws -> BackupSummary

    /// Replaces the contents of `store` by those of a backup. Posts of the old store that were not yet imported are kept.
    ///
    /// - Parameters:
    ///   - replaces: whether existing data may be replaced.
    ///   - lockWaitMilliseconds: how long to wait for a run or a server that uses the store.
    /// - Throws: `SyncFailure` with `.badInput` if the file is not a backup of such a store, or is truncated or damaged;
    ///   `.cannotCreate` if data exist and `replaces` is false; `.busy`, `.noInput` and `.storage`. The store is then
    ///   unchanged.
    func restore(
        _ store: BackupStore, from file: BackupFile, replaces: Bool, lockWaitMilliseconds: Int64
    ) async throws -> BackupSummary

    /// Completes a restore of `store` that was killed after its point of no return; otherwise does nothing.
    func finishRestore(of store: BackupStore) async throws
}
