package import HealthSyncPorts

/// The local database: one file with samples, records and outbox, behind the ports of the stores.
package struct SQLiteDatabase: Sendable {
    /// What a process wants of the file.
    package enum Access: Sendable {
        /// Make or open it, bring its schema up to date, read and write. The caller holds the run's lock.
        case readWrite
        /// Read what is there; the file must exist.
        case readOnly
    }

    private let writer: SQLiteWriter
    let reader: SQLiteReader

    /// The samples.
    package let pages: any SamplePageStore
    /// What was derived, and from what.
    package let tracking: any SyncTrackingStore
    /// The read side.
    package let repository: any HealthRepository
    /// What is to be sent.
    package let outbox: any OutboxStore
    /// Shoes and when each was worn.
    package let shoes: any ShoeStore
    /// The intervals by which raw samples travel.
    package let intervals: any SyncIntervalStore
    /// The runs of the past.
    package let runs: any RunStore
    /// The last verification of each server.
    package let verifications: any VerificationStore

    /// Opens the database at `path`, with folder (0700) and file (0600) made where they are missing.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - access: what the process wants of it.
    ///   - time: dates outbox items.
    ///   - hasher: makes digests where a migration needs some; only a new or recent file is opened without.
    ///   - log: told which migrations were applied, as a detail, and what must be done after them.
    /// - Throws: `SyncFailure` with `.storage` for a file that is damaged, foreign, of a newer version or cannot be
    ///   written; with `.noInput` for a missing file that is only to be read; with `.busy` when another program holds it.
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
                log?.note("\(path): \(numbers) of the schema applied", isDetail: true)
                for note in notes { log?.note("\(path): \(note)", isDetail: false) }
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

    /// Brings the log into the file and closes it. Nothing may be asked of the stores afterwards.
    package func close() async throws {
        // The reader first: the log can be cut only when nobody reads it.
        try await reader.close()
        try await writer.close()
    }
}
