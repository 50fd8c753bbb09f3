import HealthSyncDomain

/// Statements that write samples, with all rows in one statement.
enum SampleStatements {
    static func insert(_ rows: [SampleDecisions.Row], lastPosition: Int64) -> [UserCommand] {
        guard !rows.isEmpty else { return [] }
        return [
            UserCommand(
                """
                INSERT INTO samples (user_id, position, series_id, origin_id, id, start_ms, end_ms, value, revision,
                    is_deleted, is_uppercase)
                SELECT $1, n.* FROM unnest($2::bigint[], $3::integer[], $4::integer[], $5::uuid[], $6::bigint[],
                    $7::bigint[], $8::double precision[], $9::bigint[], $10::boolean[], $11::boolean[]) AS n
                """, [.array(.int8, of: rows) { $0.int8($1.position) }] + columns(of: rows)),
            UserCommand("UPDATE positions SET last_position = $2 WHERE user_id = $1", [.int8(lastPosition)]),
        ]
    }

    static func update(_ rows: [SampleDecisions.Row]) -> [UserCommand] {
        guard !rows.isEmpty else { return [] }
        return [
            UserCommand(
                """
                UPDATE samples s SET origin_id = n.origin_id, start_ms = n.start_ms, end_ms = n.end_ms,
                    value = n.value, revision = n.revision, is_deleted = n.is_deleted, is_uppercase = n.is_uppercase
                FROM unnest($2::integer[], $3::integer[], $4::uuid[], $5::bigint[], $6::bigint[],
                    $7::double precision[], $8::bigint[], $9::boolean[], $10::boolean[])
                    AS n (series_id, origin_id, id, start_ms, end_ms, value, revision, is_deleted, is_uppercase)
                WHERE s.user_id = $1 AND s.series_id = n.series_id AND s.id = n.id
                """, columns(of: rows))
        ]
    }

    private static func columns(of rows: [SampleDecisions.Row]) -> [PostgresParameter] {
        [
            .array(.int4, of: rows) { $0.int4($1.series) },
            .array(.int4, of: rows) { $0.int4($1.origin) },
            .array(.uuid, of: rows) { $0.uuid($1.sample.id) },
            .array(.int8, of: rows) { $0.int8($1.sample.start.milliseconds) },
            .array(.int8, of: rows) { $0.int8($1.sample.end.milliseconds) },
            .array(.float8, of: rows) { $0.float8($1.sample.value) },
            .array(.int8, of: rows) { $0.int8($1.sample.revision) },
            .array(.bool, of: rows) { $0.bool($1.sample.isDeleted) },
            .array(.bool, of: rows) { $0.bool($1.sample.isUppercase) },
        ]
    }
}
