package import HealthSyncDomain
import HealthSyncPorts

/// What a receiving server was sent, in one SQLite file.
package struct SQLiteReceivedDataStore: ReceivedDataStore {
    /// Makes the line of a sample for `steps.jsonl`, with its end of line.
    package typealias LineEncoder = @Sendable (ReceivedSample, ReceivedOrigin?) -> [UInt8]

    private let writer: GroupCommitWriter
    let reader: SQLiteReader
    let digests: SharedDigests
    private let line: LineEncoder?

    /// Opens the database at `path`, with folder (0700) and file (0600) made where they are missing. One process at a
    /// time may have it open.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - linesFolder: where `steps.jsonl` is kept beside it: of the user `local` in the folder itself, of others in a
    ///     folder of their name. `nil` for no such file.
    ///   - line: makes a line.
    /// - Throws: `SyncFailure` with `.storage`.
    package static func open(
        at path: String, linesFolder: String? = nil, line: LineEncoder? = nil
    ) async throws -> SQLiteReceivedDataStore {
        var lines: (folder: String, line: LineEncoder)?
        if let linesFolder, let line { lines = (linesFolder, line) }
        let readers = (0..<2).map { _ in
            SQLiteReader(
                path: path, owner: ReceivedSchema.applicationID, latest: ReceivedSchema.latest,
                advice: ReceivedSchema.advice)
        }
        let store = SQLiteReceivedDataStore(
            writer: GroupCommitWriter(path: path, lines: lines), reader: readers[0],
            digests: SharedDigests(reader: readers[1]), line: lines?.line)
        try await store.writer.open()
        return store
    }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] {
        let line = line
        return try await writer.write { transaction in try Self.perform(write, line: line, in: transaction) }
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
                    .batchKeyReused, subject: "Idempotency-Key", reason: "came before with other content",
                    advice: "send each content under its own key")
            }
            return
        }
        try transaction.connection.execute(
            "INSERT INTO batch_keys (user_id, key, content, received_ms) VALUES (?1, ?2, ?3, ?4)", userRow, key.key,
            key.content, instant)
    }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await writer.write { try ReceivedSampleWriting.removeAll(type: type, user: user, in: $0) }
    }

    package func forgetBatchKeys(before instant: Instant) async throws {
        try await writer.write {
            try $0.connection.execute("DELETE FROM batch_keys WHERE received_ms < ?1", instant)
        }
    }

    package func close() async {
        // The readers first: the log can be cut only when nobody reads it. Nothing is lost where closing fails.
        try? await reader.close()
        try? await digests.close()
        try? await writer.close()
    }
}
