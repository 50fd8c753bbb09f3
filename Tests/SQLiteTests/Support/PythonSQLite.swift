import Foundation
import HealthSyncTestKit

/// Python's `sqlite3` module: the independent judge of what is in a file.
enum PythonSQLite {
    /// Throws unless the file passes the integrity and foreign key checks.
    static func requireSound(_ path: String) throws {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            print(db.execute("PRAGMA integrity_check").fetchall(), db.execute("PRAGMA foreign_key_check").fetchall())
            """
        try ContractViolation.unlessEqual(try run(script, [path]), "[('ok',)] []\n", "integrity of \(path)")
    }

    /// What `script` prints when it is run with `arguments`; throws when it fails.
    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try ContractViolation.unlessEqual(process.terminationStatus, 0, "exit status of python3")
        return String(decoding: bytes, as: UTF8.self)
    }
}
