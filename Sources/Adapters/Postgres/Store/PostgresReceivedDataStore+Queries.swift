package import HealthSyncDomain
package import HealthSyncPorts

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
