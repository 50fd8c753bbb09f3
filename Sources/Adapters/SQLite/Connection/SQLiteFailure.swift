import CHealthSyncSQLite
import HealthSyncDomain

/// What SQLite's result codes mean for a person.
enum SQLiteFailure {
    /// The failure behind `code` (extended) on the database at `path`; `message` is SQLite's own.
    static func failure(_ code: Int32, path: String, message: String) -> SyncFailure {
        switch code & 0xFF {
        case SQLITE_FULL:
            SyncFailure(
                .storage, subject: path, reason: "the disk is full",
                advice: "free some space and run the command again; nothing was half written")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            damaged(path, "the database is damaged (\(message))")
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            SyncFailure(
                .storage, subject: path, reason: "the database cannot be opened or written (\(message))",
                advice: "check that its folder exists and that you may write in it")
        case SQLITE_BUSY, SQLITE_LOCKED:
            SyncFailure(
                .busy, subject: path, reason: "another program holds the database",
                advice: "end the other program, or try again when it is done")
        case SQLITE_IOERR:
            SyncFailure(
                .storage, subject: path, reason: "reading or writing the database failed (\(message), code \(code))",
                advice: "check the disk and the space left on it, then run the command again")
        default:
            SyncFailure(
                .storage, subject: path, reason: "the database refused a statement (\(message), code \(code))",
                advice: "run `healthsync doctor`; if it finds nothing, report this as a mistake of the program")
        }
    }

    /// Something in the file at `path` is not as this program writes it.
    static func damaged(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: reason,
            advice: "restore it from a backup, or move it away and run `healthsync historical` on the export again")
    }

    /// A figure that no row can hold.
    static func notFinite(_ what: String, path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "\(what) has a figure that is not a number",
            advice: "report this as a mistake of the program")
    }
}
