package import HealthSyncDomain
import HealthSyncPorts

/// The data of receiving servers, in one PostgreSQL database that any number of processes may use at once.
package struct PostgresReceivedDataStore: ReceivedDataStore {
    private static let writers = 4
    private static let readers = 4

    private let queue: WriteQueue
    let readers: PostgresPool

    /// Opens the database and creates or migrates its schema.
    ///
    /// - Throws: `SyncFailure` with `.storage`, including for a server whose commits are not durable.
    package static func open(at address: PostgresAddress) async throws -> PostgresReceivedDataStore {
        let store = PostgresReceivedDataStore(
            queue: WriteQueue(address: address, writers: writers),
            readers: PostgresPool(address: address, size: readers, label: "healthsync.postgres.reader"))
        try await store.readers.perform { try PostgresMigration.migrate($0.connection) }
        return store
    }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] { try await queue.store(write) }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user),
                let series = try session.rows.knownRow(of: type, userRow: userRow)
            else { return 0 }
            let answers = try session.connection.run([
                .begin, .lock(userRow),
                PostgresCommand(
                    """
                    WITH removed AS (DELETE FROM samples WHERE user_id = $1 AND series_id = $2 RETURNING is_deleted)
                    SELECT count(*) FILTER (WHERE NOT is_deleted) FROM removed
                    """, .int4(userRow), .int4(series)), .commit,
            ])
            return try answers.dropFirst(2).first?.first { Int(try $0.integer()) } ?? 0
        }
    }

    package func deleteBatchKeys(before instant: Instant) async throws {
        try await readers.perform { session in
            _ = try session.connection.run("DELETE FROM batch_keys WHERE received_ms < $1", .instant(instant))
        }
    }

    /// Does nothing: each request reconnects if the connection was lost.
    package func checkWritable() async throws {}

    package func close() async {
        await queue.close()
        await readers.close()
    }
}
