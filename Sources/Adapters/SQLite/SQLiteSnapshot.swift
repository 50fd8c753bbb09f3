import CHealthSyncSQLite
import HealthSyncDomain

/// Copies of whole databases of this program, for backups.
package enum SQLiteSnapshot {
    /// The databases of the program, by their application id.
    package enum Kind: Sendable, CaseIterable {
        /// The local store.
        case local
        /// The store of a receiving server.
        case received
        /// A file of access tokens.
        case tokens

        fileprivate var owner: Int64 {
            switch self {
            case .local: DatabaseFile.applicationID
            case .received: ReceivedSchema.applicationID
            case .tokens: SQLiteAccessTokenStore.applicationID
            }
        }

        fileprivate var latest: Int64 {
            switch self {
            case .local: Migration.latest
            case .received: ReceivedSchema.latest
            case .tokens: Int64(SQLiteAccessTokenStore.migrations.count)
            }
        }
    }

    /// Copies one consistent state of the database at `path` to the new file `target`, while other connections may write
    /// to it. Blocks.
    ///
    /// - Throws: `SyncFailure` with `.storage` if either file cannot be read or written, and `.busy` if the database
    ///   stays locked.
    package static func copy(_ path: String, to target: String) throws {
        let source = try SQLiteConnection(
            path: path, isReader: true, isImmutable: DatabaseFile.canBeOpenedImmutably(path))
        defer { try? source.close() }
        SQLitePragmas.setBusyTimeout(of: source)
        try source.copy(to: target)
    }

    /// Checks that the file at `path`, which nothing else uses, is an intact database of `kind` that this program can
    /// read. Blocks.
    ///
    /// - Throws: `SyncFailure` with `.storage` for the first problem.
    package static func check(_ path: String, is kind: Kind) throws {
        let connection = try SQLiteConnection(path: path, isReader: true, isImmutable: true)
        defer { try? connection.close() }
        _ = try DatabaseFile.schemaVersion(over: connection, latest: kind.latest, owner: kind.owner)
        let integrity = try connection.rows("PRAGMA integrity_check(1)") { try $0.text() }
        if let problem = integrity.first(where: { $0 != "ok" }) { throw SQLiteFailure.damaged(path, problem) }
        if let table = try connection.first("PRAGMA foreign_key_check", read: { try $0.text() }) {
            throw SQLiteFailure.damaged(path, "a row of \(table) refers to a missing row")
        }
    }
}
