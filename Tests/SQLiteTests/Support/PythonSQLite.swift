import HealthSyncTestKit
import HealthSyncTestTools

/// Python's `sqlite3` module: the independent checker of database files.
enum PythonSQLite {
    /// Throws unless the file passes the integrity and foreign key checks.
    static func requireValid(_ path: String) throws {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            print(db.execute("PRAGMA integrity_check").fetchall(), db.execute("PRAGMA foreign_key_check").fetchall())
            """
        try ContractViolation.unlessEqual(try run(script, [path]), "[('ok',)] []\n", "integrity of \(path)")
    }

    /// Returns the output of `script` with `arguments`; throws if it fails.
    static func run(_ script: String, _ arguments: [String]) throws -> String {
        String(decoding: try Command(["python3", "-c", script] + arguments).output(), as: UTF8.self)
    }
}
