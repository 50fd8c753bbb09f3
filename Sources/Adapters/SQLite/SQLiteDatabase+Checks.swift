import CHealthSyncSQLite

extension SQLiteDatabase {
    /// The schema version that this program writes.
    package static var schemaVersion: Int { Int(Migration.latest) }

    /// The version of the SQLite library.
    package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Returns the problems that SQLite finds in the file, one line each; empty if it is intact. Throws `SyncFailure`
    /// with `.storage` if the file cannot be read.
    package func integrityProblems() async throws -> [String] {
        try await reader.read { connection in
            let integrity = try connection.rows("PRAGMA integrity_check(20)") { try $0.text() }
            let keys = try connection.rows("PRAGMA foreign_key_check") { try $0.text() }
            return integrity.filter { $0 != "ok" } + keys.map { "a row of \($0) refers to a missing row" }
        }
    }
}
