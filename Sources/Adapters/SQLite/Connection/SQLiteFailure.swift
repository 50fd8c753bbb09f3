import CHealthSyncSQLite
import HealthSyncDomain

/// Translates SQLite result codes into failures for the user.
enum SQLiteFailure {
    /// Returns the failure for the extended result code `code` of the database at `path`; `message` is SQLite's own.
    static func failure(_ code: Int32, path: String, message: String) -> SyncFailure {
        switch code & 0xFF {
        case SQLITE_FULL:
            SyncFailure(
                .storage, subject: path, reason: "the disk is full",
                advice: "free some space and run the command again; no change was stored partially")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            damaged(path, "the database is damaged (\(message))")
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            SyncFailure(
                .storage, subject: path, reason: "the database cannot be opened or written (\(message))",
                advice: "check that its folder exists and is writable")
        case SQLITE_BUSY, SQLITE_LOCKED:
            SyncFailure(
                .busy, subject: path, reason: "the database is locked by another program",
                advice: "stop the other program, or try again when it has finished")
        case SQLITE_IOERR:
            SyncFailure(
                .storage, subject: path, reason: "reading or writing the database failed (\(message), code \(code))",
                advice: "check the disk and its free space, then run the command again")
        default:
            SyncFailure(
                .storage, subject: path, reason: "the database rejected a statement (\(message), code \(code))",
                advice: "run `healthsync doctor`; if it finds nothing, report this as a bug")
        }
    }

    /// Returns the failure for content in the file at `path` that this program would not have written.
    static func damaged(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: reason,
            advice: "restore it from a backup, or move it away and run `healthsync historical` on the export again")
    }

    /// Returns the failure for a value that is NaN or infinite and cannot be stored.
    static func notFinite(_ what: String, path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "\(what) contains a value that is not a finite number",
            advice: "report this as a bug")
    }
}
