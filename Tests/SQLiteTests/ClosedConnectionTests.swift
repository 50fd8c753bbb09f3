import HealthSyncDomain
import HealthSyncTestTools
import Testing

@testable import HealthSyncSQLite

@Suite("A closed connection")
struct ClosedConnectionTests {
    @Test("Every call throws or returns nothing, also while a statement is still in use")
    func closed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.db"
        try DatabaseFile.prepare(path)
        let connection = try SQLiteConnection(path: path, isReader: false)
        try connection.executeScript("CREATE TABLE a (b INTEGER); INSERT INTO a VALUES (1), (2)")
        var read: [Int] = []
        try connection.forEach("SELECT b FROM a") { statement in
            // The statement keeps what SQLite needs until it is reset.
            try connection.close()
            read.append(try statement.int())
            return true
        }
        #expect(read == [1, 2])
        try connection.close()
        #expect(throws: SyncFailure.self) { try connection.execute("INSERT INTO a VALUES (3)") }
        #expect(throws: SyncFailure.self) { try connection.executeScript("SELECT 1") }
        #expect(throws: SyncFailure.self) { try connection.rows("SELECT b FROM a") { try $0.int() } }
        #expect(throws: SyncFailure.self) { try connection.firstBytes(16) }
        #expect(throws: SyncFailure.self) { try connection.copy(to: folder.path + "/b.db") }
        connection.setBusyTimeout(milliseconds: 1)
        #expect(connection.changedRows == 0 && connection.lastInsertedRowID == 0 && connection.pagesWritten == 0)
        #expect(!connection.isInTransaction && !connection.isDiskFull)
    }
}
