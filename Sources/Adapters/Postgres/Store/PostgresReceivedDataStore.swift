package import HealthSyncDomain
package import HealthSyncPorts

/// The data of receiving servers, in one PostgreSQL database that any number of processes may use at once.
package struct PostgresReceivedDataStore: ReceivedDataStore {
    private let queue: WriteQueue
    private let readers: PostgresPool
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

extension PostgresReceivedDataStore {
    package func fold<Result: Sendable>(
        _ scan: RecordScan, into initial: Result,
        _ body: @escaping @Sendable (inout Result, ReceivedRecord) throws -> Void
    ) async throws -> Result {
        try await readers.perform { session in
            var result = initial
            guard let userRow = try session.rows.knownRow(of: scan.user) else { return result }
            try session.connection.stream(Self.command(scan, userRow: userRow)) { row in
                try body(&result, try Self.record(&row, isDeleted: scan.isOfTombstones))
            }
            return result
        }
    }

    private static func command(_ scan: RecordScan, userRow: Int32) -> PostgresCommand {
        var text = """
            SELECT id, revision, type, granularity, day, start_ms, body FROM records
            WHERE user_id = $1 AND kind = $2 AND \(scan.isOfTombstones ? "is_deleted" : "NOT is_deleted")
            """
        var parameters: [PostgresParameter] = [.int4(userRow), .text(scan.kind.rawValue)]
        func add(_ condition: String, _ parameter: PostgresParameter?) {
            guard let parameter else { return }
            parameters.append(parameter)
            text += "\(condition) $\(parameters.count)"
        }
        if scan.isOfTombstones {
            add(" AND day =", .date(ReceivedRecord.tombstone("", revision: 0).day))
        } else {
            add(" AND day >=", scan.from.map { .date($0) })
            add(" AND day <=", scan.through.map { .date($0) })
        }
        if let page = scan.page {
            add(" AND id >", .text(page.after))
            add(" ORDER BY id LIMIT", .int8(page.limit))
        }
        return PostgresCommand(text, parameters)
    }

    private static func record(_ row: inout PostgresRow, isDeleted: Bool) throws -> ReceivedRecord {
        if isDeleted { return .tombstone(try row.text(), revision: try row.integer()) }
        return ReceivedRecord(
            id: try row.text(), revision: try row.integer(), type: try row.text(), granularity: try row.text(),
            day: try row.day(), start: try row.instant(), body: try row.bytes())
    }
}

extension PostgresReceivedDataStore {
    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        try await readers.perform { session in
            try SeriesReading.read(query.type, user: query.user, in: session) { try $0.samples(query) }
                ?? ReceivedSamplePage(batch: ReceivedSampleBatch(), next: nil)
        }
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int {
        try await readers.perform { session in
            try SeriesReading.read(query.type, user: query.user, in: session) { try $0.count(in: query.interval) } ?? 0
        }
    }

    package func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        try await readers.perform { session in
            try SeriesReading.read(type, user: user, in: session) { try $0.starts() } ?? nil
        }
    }

    package func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: query.user) else { return [] }
            let direction = query.isDescending ? "DESC" : "ASC"
            let conditions = RecordConditions(query, userRow: userRow)
            let (limit, offset) = (conditions.next, conditions.next + 1)
            let rows = try session.connection.run([
                PostgresCommand(
                    """
                    SELECT id, revision, type, granularity, day, start_ms, body, created_ms, updated_ms FROM records
                    WHERE \(conditions.text)
                    ORDER BY day \(direction), start_ms \(direction), id \(direction) LIMIT $\(limit) OFFSET $\(offset)
                    """, conditions.parameters + [.int8(query.limit), .int8(query.offset)])
            ])
            return try rows.last?.map { row in
                let record = ReceivedRecord(
                    id: try row.text(), revision: try row.integer(), type: try row.text(),
                    granularity: try row.text(), day: try row.day(), start: try row.instant(),
                    body: try row.bytes())
                return StoredRecord(record: record, createdAt: try row.instant(), updatedAt: try row.instant())
            } ?? []
        }
    }

    package func version(of user: UserName) async throws -> DataVersion? {
        try await readers.perform { session in
            // While no transaction ended, its snapshot is the same. A server that was promoted or restored from a backup
            // may count transactions again, but has started at another time. Snapshots of a standby omit transactions.
            let text = try session.connection.run(
                """
                SELECT CASE WHEN NOT pg_is_in_recovery()
                    THEN pg_current_snapshot() || ' ' || pg_postmaster_start_time() END
                """
            ).first { try $0.optional { try $0.text() } }
            return (text ?? nil).map { DataVersion($0) }
        }
    }

    package func recordCount(_ query: RecordQuery) async throws -> Int {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: query.user) else { return 0 }
            let conditions = RecordConditions(query, userRow: userRow)
            let rows = try session.connection.run([
                PostgresCommand("SELECT count(*) FROM records WHERE \(conditions.text)", conditions.parameters)
            ])
            return try rows.last?.first { Int(try $0.integer()) } ?? 0
        }
    }

    package func digests(
        of type: String, in intervals: [InstantRange], user: UserName
    ) async throws -> [SampleSetDigest] {
        try await readers.perform { session in
            try SeriesReading.read(type, user: user, in: session) { try $0.digests(in: intervals) }
                ?? intervals.map { _ in .zero }
        }
    }

    package func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user) else { return [] }
            let rows = try session.connection.run([
                PostgresCommand(
                    """
                    WITH RECURSIVE types(type) AS (
                        SELECT (SELECT min(type) FROM records WHERE user_id = $1 AND kind = $2)
                        UNION ALL
                        SELECT (SELECT min(r.type) FROM records r
                            WHERE r.user_id = $1 AND r.kind = $2 AND r.type > types.type)
                        FROM types WHERE types.type IS NOT NULL)
                    SELECT type FROM types WHERE EXISTS (
                        SELECT 1 FROM records r
                        WHERE r.user_id = $1 AND r.kind = $2 AND r.type = types.type AND NOT r.is_deleted)
                    ORDER BY type
                    """, .int4(userRow), .text(kind.rawValue))
            ])
            return try rows.last?.map { try $0.text() } ?? []
        }
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user) else { return ReceivedInventory() }
            let answers = try session.connection.run([
                .beginReading, SampleInventory.query(userRow),
                PostgresCommand(
                    """
                    SELECT kind, type, count(*), min(day), max(day) FROM records
                    WHERE user_id = $1 AND NOT is_deleted GROUP BY kind, type ORDER BY kind, type
                    """, .int4(userRow)),
            ])
            let samples = try SampleInventory.samples(answers[1], userRow: userRow, over: session.connection)
            try session.connection.run([.commit])
            let records = try answers[2].map { row in
                ReceivedInventory.Records(
                    kind: RecordKind(rawValue: try row.text()), type: try row.text(),
                    count: Int(try row.integer()), firstDay: try row.day(), lastDay: try row.day())
            }
            return ReceivedInventory(samples: samples, records: records)
        }
    }
}

/// How a store uses its database.
package struct PostgresStoreOptions: Sendable {
    /// The maximum number of connections for requests, at least 2; half of them write.
    package var connections = 8
    /// Whether rows of an earlier version are packed into pages in the background.
    package var packsInBackground = true
    /// The number of rows that are packed in one transaction.
    package var rowsAtOnce = RowPacking.largestBatch

    package init() {}
}

/// Removes all samples of a series.
private enum SeriesRemoval {
    /// Returns how many samples were not deleted.
    static func removeAll(of series: Int32, userRow: Int32, in session: PostgresSession) throws -> Int {
        let connection = session.connection
        let answers = try connection.run([
            .begin, .lock(userRow), SeriesState.select([series]).command(userRow: userRow),
        ])
        guard var state = try answers.last?.first({ try SeriesState(&$0) }) else {
            connection.rollBack()
            return 0
        }
        let table = state.rowsAfter.map { SampleRowCommands(series: series, rowsAfter: $0) }
        var removed = Int(state.alive)
        state.change += 1
        state.emptied = state.change
        state.alive = 0
        state.rowsAfter = nil
        let pages = UserCommand(
            "DELETE FROM sample_pages WHERE user_id = $1 AND series_id = $2", [.int4(series)])
        let rows = try connection.run(
            ([table?.removeAll, pages, state.update].compactMap(\.self)).map { $0.command(userRow: userRow) }
                + [.commit])
        if table != nil { removed += try rows.first?.first { Int(try $0.integer()) } ?? 0 }
        return removed
    }
}

/// The conditions of a `RecordQuery` as SQL. Only filters of the query become conditions, so that each form of query
/// has its own plan.
private struct RecordConditions {
    private(set) var text = "user_id = $1 AND kind = $2 AND NOT is_deleted"
    private(set) var parameters: [PostgresParameter]

    init(_ query: RecordQuery, userRow: Int32) {
        parameters = [.int4(userRow), .text(query.kind.rawValue)]
        add("id =", query.id.map { .text($0) })
        add("type =", query.type.map { .text($0) })
        add("granularity =", query.granularity.map { .text($0) })
        add("day >=", query.from.map { .date($0) })
        add("day <=", query.through.map { .date($0) })
    }

    /// The number of the next parameter.
    var next: Int { parameters.count + 1 }

    private mutating func add(_ condition: String, _ parameter: PostgresParameter?) {
        guard let parameter else { return }
        text += " AND \(condition) $\(next)"
        parameters.append(parameter)
    }
}
