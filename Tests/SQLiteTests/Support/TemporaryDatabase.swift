import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools

/// A database in a temporary folder that is deleted with the test.
struct TemporaryDatabase: Sendable {
    private let home: TemporaryFolder
    let time = ManualTime()

    var folder: String { home.path }
    var path: String { home.path(of: "healthsync.db") }

    init() throws { home = try TemporaryFolder() }

    func open(_ access: SQLiteDatabase.Access = .readWrite) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(at: path, access: access, time: time, hasher: LibcryptoHasher())
    }

    /// Lends the stores of a new database, then closes it and checks the file with Python's SQLite.
    static let lender: StoresUnderTest.Lender = { use in
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await use(
            StoresUnderTest(
                pages: database.pages, tracking: database.tracking, repository: database.repository,
                outbox: database.outbox,
                intervals: database.intervals))
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }

    /// Lends the shoes of a new database in the same way.
    static let shoeLender: ShoeStoreContract.Lender = { use in try await lend { try await use($0.shoes) } }

    /// Lends the history of runs of a new database in the same way.
    static let runLender: RunStoreContract.Lender = { use in try await lend { try await use($0.runs) } }

    /// Lends the verifications of a new database in the same way.
    static let verificationLender: VerificationStoreContract.Lender = { use in
        try await lend { try await use($0.verifications) }
    }

    private static func lend(_ use: (SQLiteDatabase) async throws -> Void) async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await use(database)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }
}
