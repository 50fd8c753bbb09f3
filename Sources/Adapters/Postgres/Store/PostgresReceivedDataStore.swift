package import HealthSyncDomain
import HealthSyncPorts

/// The data of receiving servers, in one PostgreSQL database that any number of processes may use at once.
package struct PostgresReceivedDataStore: ReceivedDataStore {
    private let queue: WriteQueue
    let readers: PostgresPool
    private let packing: PackingTask
    private let options: PostgresStoreOptions

    /// Opens the database and creates or migrates its schema.
    ///
    /// - Throws: `SyncFailure` with `.storage`, including for a server whose commits are not durable.
    package static func open(
        at address: PostgresAddress, options: PostgresStoreOptions = PostgresStoreOptions()
    ) async throws -> PostgresReceivedDataStore {
        let writers = max(1, options.connections / 2)
        let packer = PostgresWorker(address: address, label: "healthsync.postgres.packing")
        let store = PostgresReceivedDataStore(
            queue: WriteQueue(address: address, writers: writers),
            readers: PostgresPool(
                address: address, size: max(1, options.connections - writers), label: "healthsync.postgres.reader"),
            packing: PackingTask(packer, batch: options.rowsAtOnce), options: options)
        try await store.readers.perform { try PostgresMigration.migrate($0.connection) }
        try await store.packRows()
        return store
    }

    package func store(_ write: ReceivedWrite) async throws -> [StoreOutcome] { try await queue.store(write) }

    package func removeAllSamples(of type: String, user: UserName) async throws -> Int {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user),
                let series = try session.rows.knownRow(of: type, userRow: userRow)
            else { return 0 }
            return try SeriesRemoval.removeAll(of: series, userRow: userRow, in: session)
        }
    }

    /// Begins to pack rows of an earlier version in the background, unless none are left.
    private func packRows() async throws {
        guard options.packsInBackground else { return }
        let hasRows = try await readers.perform { session in
            try session.connection.run("SELECT to_regclass('healthsync.sample_rows') IS NOT NULL")
                .first { try $0.bool() }
        }
        if hasRows == true { packing.start() }
    }

    /// Waits until all rows of an earlier version are packed into pages, or packing has failed.
    package func waitUntilPacked() async { await packing.wait() }

    /// Packs a batch of rows of an earlier version now; returns `false` if none were left.
    package func packNextRows() async throws -> Bool { try await packing.packNext() }

    package func deleteBatchKeys(before instant: Instant) async throws {
        // After a failure, such as a lost server, packing continues here, because this is called regularly.
        try await packRows()
        try await readers.perform { session in
            _ = try session.connection.run("DELETE FROM batch_keys WHERE received_ms < $1", .instant(instant))
        }
    }

    package func checkWritable() async throws {
        let isReadOnly = try await readers.perform { session in
            // A server that became a standby accepts no changes.
            try session.connection.run(
                "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"
            ).first { try $0.bool() } ?? true
        }
        guard !isReadOnly else {
            throw SyncFailure(
                .storage, subject: "the database", reason: "it accepts no changes now",
                advice: "connect to the primary server, for example with target_session_attrs=read-write")
        }
    }

    package func close() async {
        await packing.stop()
        await queue.close()
        await readers.close()
    }
}
