package import HealthSyncDomain

extension SQLiteReceivedDataStore {
    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: query.user, type: query.type, cache: cells, over: connection)
                .samples(after: query.after, in: query.interval, limit: query.limit)
        }
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: query.user, type: query.type, cache: cells, over: connection)
                .count(in: query.interval)
        }
    }

    package func sampleStarts(of type: String, user: UserName) async throws -> ClosedRange<Instant>? {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: user, type: type, cache: cells, over: connection).starts()
        }
    }

    /// Only filters of the query become conditions, so that each form of query can use its index.
    private static func matching(_ query: RecordQuery) -> String {
        let stated = [
            query.id == nil ? "?3 IS NULL" : "id = ?3", query.type == nil ? "?4 IS NULL" : "type = ?4",
            query.granularity == nil ? "?5 IS NULL" : "granularity = ?5",
            query.from == nil ? "?6 IS NULL" : "day >= ?6", query.through == nil ? "?7 IS NULL" : "day <= ?7",
        ]
        // Without statistics SQLite would use the index on days and visit the entries of every metric and hour.
        let isOfType = query.id == nil && query.type != nil && query.granularity != nil
        return """
            FROM records \(isOfType ? "INDEXED BY records_by_type" : "") JOIN users USING (user_id)
            WHERE name = ?1 AND kind = ?2 AND is_deleted = 0 AND \(stated.joined(separator: " AND "))
            """
    }

    package func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        try await reader.read { connection in
            let direction = query.isDescending ? "DESC" : "ASC"
            return try connection.rows(
                """
                SELECT \(ReceivedRecordRows.columns) \(Self.matching(query))
                ORDER BY day \(direction), start_ms \(direction), id \(direction) LIMIT ?8 OFFSET ?9
                """, query.user.text, query.kind.rawValue, query.id, query.type, query.granularity, query.from,
                query.through, query.limit, query.offset, read: ReceivedRecordRows.record)
        }
    }

    package func recordCount(_ query: RecordQuery) async throws -> Int {
        try await reader.read { connection in
            try connection.first(
                "SELECT count(*) \(Self.matching(query))", query.user.text, query.kind.rawValue, query.id, query.type,
                query.granularity, query.from, query.through
            ) { try $0.int() } ?? 0
        }
    }

    package func digests(
        of type: String, in intervals: [InstantRange], user: UserName
    ) async throws -> [SampleSetDigest] {
        try await reader.read { connection in
            try ReceivedSampleQueries(user: user, type: type, cache: cells, over: connection).digests(in: intervals)
        }
    }

    package func recordTypes(of kind: RecordKind, user: UserName) async throws -> [String] {
        try await reader.read { connection in
            try connection.rows(
                """
                WITH RECURSIVE
                    mine(user_id) AS (SELECT user_id FROM users WHERE name = ?1),
                    types(type) AS (
                        SELECT (SELECT min(type) FROM records WHERE user_id = mine.user_id AND kind = ?2) FROM mine
                        UNION ALL
                        SELECT (SELECT min(type) FROM records
                            WHERE user_id = mine.user_id AND kind = ?2 AND type > types.type)
                        FROM types, mine WHERE types.type IS NOT NULL)
                SELECT type FROM types, mine WHERE EXISTS (
                    SELECT 1 FROM records INDEXED BY records_by_type
                    WHERE user_id = mine.user_id AND kind = ?2 AND type = types.type AND is_deleted = 0)
                """, user.text, kind.rawValue
            ) { try $0.text() }
        }
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        try await reader.read { connection in
            let samples = try connection.rows(
                """
                SELECT type, sum(alive), min(first_start_ms), max(last_end_ms)
                FROM users JOIN series USING (user_id)
                    JOIN sample_pages INDEXED BY sample_pages_by_series USING (series_id)
                WHERE name = ?1 AND alive > 0 GROUP BY type ORDER BY type
                """, user.text
            ) { row in
                ReceivedInventory.Samples(
                    type: try row.text(), count: try row.int(), firstStart: try row.instant(),
                    lastEnd: try row.instant())
            }
            let records = try connection.rows(
                """
                SELECT kind, type, count(*), min(day), max(day) FROM records JOIN users USING (user_id)
                WHERE name = ?1 AND is_deleted = 0 GROUP BY kind, type ORDER BY kind, type
                """, user.text
            ) { row in
                ReceivedInventory.Records(
                    kind: RecordKind(rawValue: try row.text()), type: try row.text(), count: try row.int(),
                    firstDay: try row.day(), lastDay: try row.day())
            }
            return ReceivedInventory(samples: samples, records: records)
        }
    }
}

extension SampleQuery {
    /// The interval in which samples start; `nil` for all time.
    fileprivate var interval: InstantRange? {
        guard from != nil || until != nil else { return nil }
        return InstantRange(
            start: from ?? Instant(milliseconds: .min), end: until ?? Instant(milliseconds: .max))
    }
}
