package import HealthSyncDomain

extension SQLiteReceivedDataStore {
    private static let joined = """
        FROM samples s JOIN series r USING (series_id) JOIN users u USING (user_id)
        LEFT JOIN origins o USING (origin_id)
        WHERE u.name = ?1 AND r.type = ?2 AND s.is_deleted = 0
        """

    package func samples(_ query: SampleQuery) async throws -> ReceivedSamplePage {
        try await reader.read { connection in
            var batch = ReceivedSampleBatch()
            var origins: [Int64: Int] = [:]
            // One more than asked for tells whether there is a next page.
            let positions = try connection.rows(
                """
                SELECT \(ReceivedSampleRows.columns) \(Self.joined) AND s.position > ?3
                    AND (?4 IS NULL OR s.start_ms >= ?4) AND (?5 IS NULL OR s.start_ms < ?5)
                ORDER BY s.position LIMIT ?6
                """, query.user.text, query.type, query.after, query.from, query.until, query.limit + 1
            ) { try ReceivedSampleRows.sample($0, into: &batch, origins: &origins) }
            guard positions.count > query.limit else { return ReceivedSamplePage(batch: batch, next: nil) }
            batch.samples.removeLast()
            return ReceivedSamplePage(batch: batch, next: positions.dropLast().last ?? query.after)
        }
    }

    package func sampleCount(_ query: SampleQuery) async throws -> Int {
        try await reader.read { connection in
            try connection.first(
                """
                SELECT count(*) \(Self.joined)
                    AND (?3 IS NULL OR s.start_ms >= ?3) AND (?4 IS NULL OR s.start_ms < ?4)
                """, query.user.text, query.type, query.from, query.until
            ) { try $0.int() } ?? 0
        }
    }

    private static let matching = """
        FROM records JOIN users USING (user_id)
        WHERE name = ?1 AND kind = ?2 AND is_deleted = 0 AND (?3 IS NULL OR id = ?3) AND (?4 IS NULL OR type = ?4)
            AND (?5 IS NULL OR granularity = ?5) AND (?6 IS NULL OR day >= ?6) AND (?7 IS NULL OR day <= ?7)
        """

    package func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        try await reader.read { connection in
            let direction = query.isDescending ? "DESC" : "ASC"
            return try connection.rows(
                """
                SELECT \(ReceivedRecordRows.columns) \(Self.matching)
                ORDER BY day \(direction), start_ms \(direction), id \(direction) LIMIT ?8 OFFSET ?9
                """, query.user.text, query.kind.rawValue, query.id, query.type, query.granularity, query.from,
                query.through, query.limit, query.offset, read: ReceivedRecordRows.record)
        }
    }

    package func recordCount(_ query: RecordQuery) async throws -> Int {
        try await reader.read { connection in
            try connection.first(
                "SELECT count(*) \(Self.matching)", query.user.text, query.kind.rawValue, query.id, query.type,
                query.granularity, query.from, query.through
            ) { try $0.int() } ?? 0
        }
    }

    package func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> IntervalDigest {
        try await reader.read { connection in
            var digest = IntervalDigest()
            _ = try connection.rows(
                """
                SELECT s.id FROM samples s JOIN series r USING (series_id) JOIN users u USING (user_id)
                WHERE u.name = ?1 AND r.type = ?2 AND s.is_deleted = 0 AND s.start_ms >= ?3 AND s.start_ms < ?4
                """, user.text, type, interval.start, interval.end
            ) { row in
                let id = try row.digest()
                digest.insert(SampleID(high: id.high, low: id.low))
            }
            return digest
        }
    }

    package func inventory(of user: UserName) async throws -> ReceivedInventory {
        try await reader.read { connection in
            let samples = try connection.rows(
                """
                SELECT r.type, count(*), min(s.start_ms), max(s.end_ms)
                FROM samples s JOIN series r USING (series_id) JOIN users u USING (user_id)
                WHERE u.name = ?1 AND s.is_deleted = 0 GROUP BY r.type ORDER BY r.type
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
