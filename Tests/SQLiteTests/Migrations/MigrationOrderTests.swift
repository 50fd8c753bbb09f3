import Foundation
import HealthSyncDomain
import Testing

@testable import HealthSyncSQLite

@Suite("The order of migrations")
struct MigrationOrderTests {
    private static func migrations(_ numbers: [Int64]) -> [Migration] {
        numbers.enumerated().map { Migration(number: $1, sql: "CREATE TABLE t\($0) (x)") }
    }

    private static func connection(_ temporary: TemporaryDatabase) throws -> SQLiteConnection {
        _ = FileManager.default.createFile(atPath: temporary.path, contents: nil)
        return try SQLiteConnection(path: temporary.path, isReader: false)
    }

    @Test(
        "A gap, a duplicate, a wrong start or a wrong order is rejected before any change",
        arguments: [[1, 3], [1, 1, 2], [1, 2, 2], [2], [0, 1], [2, 1]] as [[Int64]])
    func rejected(numbers: [Int64]) throws {
        let temporary = try TemporaryDatabase()
        let connection = try Self.connection(temporary)
        let failure = #expect(throws: SyncFailure.self) {
            try Migration.migrate(connection, by: Self.migrations(numbers))
        }
        #expect(failure?.code == .unexpected)
        #expect(failure?.reason.contains("\(numbers)") == true)
        #expect(try connection.first("SELECT count(*) FROM sqlite_schema") { try $0.int() } == 0)
        #expect(try connection.first("PRAGMA user_version") { try $0.int() } == 0)
    }

    @Test("Consecutive migrations are applied once each")
    func consecutive() throws {
        let temporary = try TemporaryDatabase()
        let connection = try Self.connection(temporary)
        for count in [1, 3, 3] {
            try Migration.migrate(connection, by: Self.migrations(Array(1...Int64(count))))
            #expect(try connection.first("PRAGMA user_version") { try $0.int() } == count)
            #expect(try connection.first("SELECT count(*) FROM sqlite_schema") { try $0.int() } == count)
        }
    }

    @Test("A new file gets the whole schema or nothing; an old one keeps the migrations before a failed one")
    func interrupted() throws {
        let temporary = try TemporaryDatabase()
        let connection = try Self.connection(temporary)
        let failing = Self.migrations([1, 2]) + [Migration(number: 3, sql: "CREATE TABLE t0 (x)")]
        for (applied, kept) in [(0, 0), (1, 2)] {
            try Migration.migrate(connection, by: Self.migrations(Array(1..<Int64(applied) + 1)))
            #expect(throws: SyncFailure.self) { try Migration.migrate(connection, by: failing) }
            #expect(!connection.isInTransaction)
            #expect(try connection.first("PRAGMA user_version") { try $0.int() } == kept)
            #expect(try connection.first("SELECT count(*) FROM sqlite_schema") { try $0.int() } == kept)
        }
    }

    @Test("The migrations of both databases are consecutive")
    func released() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.latest))
        #expect(ReceivedSchema.migrations.map(\.number) == Array(1...ReceivedSchema.latest))
    }
}
