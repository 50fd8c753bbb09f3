package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The data of a receiving server, in one SQLite file.
package struct SQLiteReceivedDataStore: ReceivedDataStore {
    /// Encodes a sample as a line of `steps.jsonl`, including the newline.
    package typealias LineEncoder = @Sendable (ReceivedSample, ReceivedOrigin?) -> [UInt8]

    private let writer: GroupCommitWriter
    let reader: SQLiteReaderPool
    /// For scans of all records, which take a second or two and must not delay other queries.
    let scanner: SQLiteReaderPool
    let cells: SampleCellCache
    private let line: LineEncoder?
    private let versions = RecordVersions()

    /// Opens the database at `path`, after creating the folder (0700) and the file (0600) if they are missing. Only one
    /// process at a time may have it open.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - time: The clock that schedules attempts after a failed commit.
    ///   - linesFolder: The folder of `steps.jsonl`: the file of the user `local` is in the folder itself, those of
    ///     other users in a subfolder with their name. `nil` for no such files.
    ///   - line: The encoder of a line.
    /// - Throws: `SyncFailure` with `.storage`.
    package static func open(
        at path: String, time: any TimeSource, linesFolder: String? = nil, line: LineEncoder? = nil
    ) async throws -> SQLiteReceivedDataStore {
        var lines: (folder: String, line: LineEncoder)?
        if let linesFolder, let line { lines = (linesFolder, line) }
        let makeReader = {
            SQLiteReader(
                path: path, owner: ReceivedSchema.applicationID, latest: ReceivedSchema.latest,
                advice: ReceivedSchema.advice)
        }
        let cells = SampleCellCache()
        let store = SQLiteReceivedDataStore(
            writer: GroupCommitWriter(path: path, lines: lines, rewrites: cells.rewrites, time: time),
            reader: SQLiteReaderPool(count: 4, make: makeReader), scanner: SQLiteReaderPool(count: 2, make: makeReader),
            cells: cells, line: lines?.line)
        try await store.writer.open()
        return store
    }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        let line = line
        // Also after an error: the state of a failed commit is unknown.
        defer { if case .records = write.content { versions.advance(of: write.user) } }
        return try await writer.write(for: write.user, size: write.count) { transaction in
            try Self.perform(write, line: line, in: transaction)
        }
    }

    private static func perform(
        _ write: ReceivedWrite, line: LineEncoder?, in transaction: ReceivedTransaction
    ) throws -> [StoreOutcome] {
        if let key = write.key { try check(key, user: write.user, at: write.receivedAt, in: transaction) }
        switch write.content {
        case .samples(let type, let batch):
            return try ReceivedSampleWriting.store(
                batch, type: type, user: write.user, in: transaction, line: type == "steps" ? line : nil)
        case .records(let kind, let records):
            return try ReceivedRecordRows.store(
                records, kind: kind, user: write.user, at: write.receivedAt, in: transaction)
        }
    }

    private static func check(
        _ key: BatchKey, user: UserName, at instant: Instant, in transaction: ReceivedTransaction
    ) throws {
        let userRow = try transaction.row(of: user)
        let known = try transaction.connection.first(
            "SELECT content FROM batch_keys WHERE user_id = ?1 AND key = ?2", userRow, key.key
        ) { try $0.digest() }
        if let known {
            guard known == key.content else {
                throw SyncFailure(
                    .batchKeyReused, subject: "Idempotency-Key", reason: "was used before with different content",
                    advice: "use a new key for each content")
            }
            return
        }
        try transaction.connection.execute(
            "INSERT INTO batch_keys (user_id, key, content, received_ms) VALUES (?1, ?2, ?3, ?4)", userRow, key.key,
            key.content, instant)
    }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await writer.write(for: user) { try ReceivedSampleWriting.removeAll(type: type, user: user, in: $0) }
    }

    package func version(of user: UserName) -> DataVersion? { versions.version(of: user) }

    package func deleteBatchKeys(before instant: Instant) async throws {
        try await writer.write(for: nil) {
            try $0.connection.execute("DELETE FROM batch_keys WHERE received_ms < ?1", instant)
        }
    }

    package func checkWritable() async throws { try await writer.checkWritable() }

    package func close() async {
        // The readers first, because the log can be truncated only without readers. A failure to close loses no data.
        try? await reader.close()
        try? await scanner.close()
        try? await writer.close()
    }
}

/// Counts the writes of records of each user. Only one process has the file open.
private final class RecordVersions: Sendable {
    private let counts = Mutex<[UserName: Int]>([:])

    func advance(of user: UserName) { counts.withLock { $0[user, default: 0] += 1 } }

    func version(of user: UserName) -> DataVersion { DataVersion("\(counts.withLock { $0[user, default: 0] })") }
}
