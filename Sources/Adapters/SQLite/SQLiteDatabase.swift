import CHealthSyncSQLite
package import HealthSyncPorts

/// The local store: one file with samples, records and outbox, accessed through the store ports.
package struct SQLiteDatabase: Sendable {
    /// How a process uses the file.
    package enum Access: Sendable {
        /// Create or open it, migrate its schema, read and write. The caller holds the run lock.
        case readWrite
        /// Read only; the file must exist.
        case readOnly
    }

    private let writer: SQLiteWriter
    private let reader: SQLiteReader

    /// The samples.
    package let pages: any SamplePageStore
    /// The derived records and their tracking.
    package let tracking: any SyncTrackingStore
    /// The read side.
    package let repository: any HealthRepository
    /// The outbox.
    package let outbox: any OutboxStore
    /// Shoes and their sessions.
    package let shoes: any ShoeStore
    /// The intervals in which raw samples are delivered.
    package let intervals: any SyncIntervalStore
    /// The history of runs.
    package let runs: any RunStore
    /// The last verification of each server.
    package let verifications: any VerificationStore

    /// Opens the database at `path`, after creating the folder (0700) and the file (0600) if they are missing.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - access: How the process uses the file.
    ///   - time: The clock for outbox items.
    ///   - hasher: Computes digests for migrations that need them; `nil` suffices for a new or recent file.
    ///   - log: Receives the applied migrations, as a detail, and their notes for the user.
    /// - Throws: `SyncFailure` with `.storage` if the file is damaged, foreign, of a newer version or not writable;
    ///   with `.noInput` if a file opened read-only is missing; with `.busy` if another program locks it.
    package static func open(
        at path: String, access: Access = .readWrite, time: any TimeSource, hasher: (any ContentHasher)? = nil,
        log: (any EventLog)? = nil
    ) async throws -> SQLiteDatabase {
        let database = SQLiteDatabase(path: path, time: time, hasher: hasher)
        switch access {
        case .readWrite:
            if let (applied, notes) = try await database.writer.open() {
                let numbers =
                    applied.count == 1
                    ? "migration \(applied.upperBound)" : "migrations \(applied.lowerBound) to \(applied.upperBound)"
                log?.note("\(path): schema \(numbers) applied", level: .debug)
                for note in notes { log?.note("\(path): \(note)", level: .info) }
            }
        case .readOnly: try await database.reader.open()
        }
        return database
    }

    private init(path: String, time: any TimeSource, hasher: (any ContentHasher)?) {
        writer = SQLiteWriter(path: path, hasher: hasher)
        reader = SQLiteReader(path: path)
        pages = SQLiteSamplePageStore(writer: writer, reader: reader)
        tracking = SQLiteSyncTrackingStore(writer: writer, reader: reader, time: time)
        repository = SQLiteHealthRepository(reader: reader)
        outbox = SQLiteOutboxStore(writer: writer, reader: reader, time: time)
        shoes = SQLiteShoeStore(writer: writer, reader: reader)
        intervals = SQLiteSyncIntervalStore(writer: writer, reader: reader, time: time)
        runs = SQLiteRunStore(writer: writer, reader: reader)
        verifications = SQLiteVerificationStore(writer: writer, reader: reader)
    }

    /// Checkpoints the log and closes the file. The stores must not be used afterwards.
    package func close() async throws {
        // The reader first, because the log can be truncated only without readers.
        try await reader.close()
        try await writer.close()
    }
}

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
