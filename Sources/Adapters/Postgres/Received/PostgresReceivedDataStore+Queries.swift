package import HealthSyncDomain

extension PostgresReceivedDataStore {
    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: query.user),
                let series = try session.rows.knownRow(of: query.type, userRow: userRow)
            else { return ReceivedSamplePage(batch: ReceivedSampleBatch(), next: nil) }
            let hasBounds = query.from != nil || query.until != nil
            let select = """
                SELECT \(SampleRow.columns)
                FROM samples s LEFT JOIN origins o ON o.user_id = s.user_id AND o.origin_id = s.origin_id
                WHERE s.user_id = $1 AND s.series_id = $2 AND NOT s.is_deleted AND s.position > $3
                    \(hasBounds ? "AND s.start_ms >= $5 AND s.start_ms < $6" : "")
                ORDER BY s.position LIMIT $4
                """
            // One more row than requested shows whether there is a next page.
            var parameters: [PostgresParameter] = [
                .int4(userRow), .int4(series), .int8(query.after), .int8(query.limit + 1),
            ]
            if hasBounds { parameters += [.lower(query.from), .upper(query.until)] }
            // The better index, by order or by bounds, depends on the values of the bounds.
            let plan = PostgresCommand("SET LOCAL plan_cache_mode TO force_custom_plan")
            let answers = try session.connection.run(
                [.beginReading] + (hasBounds ? [plan] : []) + [PostgresCommand(select, parameters), .commit])
            return try SampleRow.page(of: answers.dropLast().last, limit: query.limit)
        }
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: query.user),
                let series = try session.rows.knownRow(of: query.type, userRow: userRow)
            else { return 0 }
            let rows = try session.connection.run(
                "SELECT count(*) FROM samples s WHERE \(Self.isWithin)", .int4(userRow), .int4(series),
                .lower(query.from), .upper(query.until))
            return try rows.first { Int(try $0.integer()) } ?? 0
        }
    }

    package func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user),
                let series = try session.rows.knownRow(of: type, userRow: userRow)
            else { return nil }
            func edge(_ direction: String) throws -> Instant? {
                try session.connection.run(
                    """
                    SELECT start_ms FROM samples WHERE user_id = $1 AND series_id = $2 AND NOT is_deleted
                    ORDER BY start_ms \(direction) LIMIT 1
                    """, .int4(userRow), .int4(series)
                ).first { try $0.instant() }
            }
            guard let first = try edge("ASC"), let last = try edge("DESC") else { return nil }
            return first...max(first, last)
        }
    }

    private static let isWithin = """
        s.user_id = $1 AND s.series_id = $2 AND s.start_ms >= $3 AND s.start_ms < $4 AND NOT s.is_deleted
        """

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

    package func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> SampleSetDigest {
        try await readers.perform { session in
            var digest = SampleSetDigest()
            guard let userRow = try session.rows.knownRow(of: user),
                let series = try session.rows.knownRow(of: type, userRow: userRow)
            else { return digest }
            let command = PostgresCommand(
                "SELECT s.id, s.start_ms, s.end_ms, s.value FROM samples s WHERE \(Self.isWithin)", .int4(userRow),
                .int4(series),
                .instant(interval.start), .instant(interval.end))
            try session.connection.stream(command) { row in
                digest.insert(
                    try row.sampleID(), start: try row.integer(), end: try row.integer(), value: try row.real())
            }
            return digest
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
                    """, .int4(userRow), .text(kind.rawValue))
            ])
            return try rows.last?.map { try $0.text() } ?? []
        }
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        try await readers.perform { session in
            guard let userRow = try session.rows.knownRow(of: user) else { return ReceivedInventory() }
            let answers = try session.connection.run([
                .beginReading,
                PostgresCommand(
                    """
                    SELECT r.type, count(*), min(s.start_ms), max(s.end_ms)
                    FROM series r JOIN samples s ON s.user_id = r.user_id AND s.series_id = r.series_id
                    WHERE r.user_id = $1 AND s.user_id = $1 AND NOT s.is_deleted GROUP BY r.type ORDER BY r.type
                    """, .int4(userRow)),
                PostgresCommand(
                    """
                    SELECT kind, type, count(*), min(day), max(day) FROM records
                    WHERE user_id = $1 AND NOT is_deleted GROUP BY kind, type ORDER BY kind, type
                    """, .int4(userRow)), .commit,
            ])
            let samples = try answers.dropFirst().first?.map { row in
                ReceivedInventory.Samples(
                    type: try row.text(), count: Int(try row.integer()), firstStart: try row.instant(),
                    lastEnd: try row.instant())
            }
            let records = try answers.dropFirst(2).first?.map { row in
                ReceivedInventory.Records(
                    kind: RecordKind(rawValue: try row.text()), type: try row.text(),
                    count: Int(try row.integer()), firstDay: try row.day(), lastDay: try row.day())
            }
            return ReceivedInventory(samples: samples ?? [], records: records ?? [])
        }
    }
}

extension PostgresParameter {
    /// Returns the lower bound of the start of samples; the earliest value for `nil`.
    fileprivate static func lower(_ instant: Instant?) -> PostgresParameter { int8(instant?.milliseconds ?? .min) }
    /// Returns the upper bound of the start of samples; the latest value for `nil`.
    fileprivate static func upper(_ instant: Instant?) -> PostgresParameter { int8(instant?.milliseconds ?? .max) }
}
