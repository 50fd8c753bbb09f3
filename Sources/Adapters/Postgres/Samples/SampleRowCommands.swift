import HealthSyncDomain

/// Statements on the samples of a series that an earlier version stored as rows and that are not yet packed into pages:
/// those after the position `rows_after` of the series.
struct SampleRowCommands {
    let series: Int32
    /// The value of `rows_after`.
    let rowsAfter: Int64

    private static let columns = "position, id, start_ms, end_ms, value, origin_id, revision, is_deleted, is_uppercase"
    private static let isUnpacked = "user_id = $1 AND series_id = $2 AND position > $3"

    /// Id, revision and deletion of those of `ids` that are stored.
    func states(of ids: [SampleID]) -> UserCommand {
        UserCommand(
            """
            SELECT s.id, s.revision, s.is_deleted FROM unnest($4::uuid[]) AS n (id) CROSS JOIN LATERAL (
                SELECT id, revision, is_deleted FROM sample_rows r
                WHERE r.user_id = $1 AND r.series_id = $2 AND r.id = n.id AND r.position > $3) AS s
            """, [.int4(series), .int8(rowsAfter), .array(.uuid, of: ids) { $0.uuid($1) }])
    }

    /// At most `limit` rows after `position` in the order of their positions, for `Row`.
    func rows(after position: Int64, limit: Int) -> UserCommand {
        UserCommand(
            """
            SELECT \(Self.columns) FROM sample_rows WHERE \(Self.isUnpacked) ORDER BY position LIMIT $4
            """, [.int4(series), .int8(max(rowsAfter, position)), .int8(limit)])
    }

    /// All rows that start within `interval`, for `Row`.
    func rows(in interval: InstantRange) -> UserCommand {
        UserCommand(
            """
            SELECT \(Self.columns) FROM sample_rows
            WHERE \(Self.isUnpacked) AND start_ms >= $4 AND start_ms < $5 AND NOT is_deleted
            """, [.int4(series), .int8(rowsAfter), .instant(interval.start), .instant(interval.end)])
    }

    /// The number of rows that start within `interval`, the first and last start and the last end.
    func summary(in interval: InstantRange?) -> UserCommand {
        UserCommand(
            """
            SELECT count(*), min(start_ms), max(start_ms), max(end_ms) FROM sample_rows
            WHERE \(Self.isUnpacked) AND start_ms >= $4 AND start_ms < $5 AND NOT is_deleted
            """,
            [
                .int4(series), .int8(rowsAfter), .int8(interval?.start.milliseconds ?? .min),
                .int8(interval?.end.milliseconds ?? .max),
            ])
    }

    /// Replaces rows by other revisions. `origin` is the row of its origin; 0 for none.
    func update(_ samples: [(sample: ReceivedSample, origin: Int64)]) -> UserCommand {
        UserCommand(
            """
            UPDATE sample_rows s SET origin_id = n.origin_id, start_ms = n.start_ms, end_ms = n.end_ms,
                value = n.value, revision = n.revision, is_deleted = n.is_deleted, is_uppercase = n.is_uppercase
            FROM unnest($3::integer[], $4::uuid[], $5::bigint[], $6::bigint[], $7::double precision[], $8::bigint[],
                $9::boolean[], $10::boolean[])
                AS n (origin_id, id, start_ms, end_ms, value, revision, is_deleted, is_uppercase)
            WHERE s.user_id = $1 AND s.series_id = $2 AND s.id = n.id
            """,
            [
                .int4(series),
                .array(.int4, of: samples) { $0.int4($1.origin == 0 ? nil : Int32(clamping: $1.origin)) },
                .array(.uuid, of: samples) { $0.uuid($1.sample.id) },
                .array(.int8, of: samples) { $0.int8($1.sample.start.milliseconds) },
                .array(.int8, of: samples) { $0.int8($1.sample.end.milliseconds) },
                .array(.float8, of: samples) { $0.float8($1.sample.value) },
                .array(.int8, of: samples) { $0.int8($1.sample.revision) },
                .array(.bool, of: samples) { $0.bool($1.sample.isDeleted) },
                .array(.bool, of: samples) { $0.bool($1.sample.isUppercase) },
            ])
    }

    /// Deletes all rows; returns how many of them were not tombstones.
    var removeAll: UserCommand {
        UserCommand(
            """
            WITH removed AS (DELETE FROM sample_rows WHERE \(Self.isUnpacked) RETURNING is_deleted)
            SELECT count(*) FILTER (WHERE NOT is_deleted) FROM removed
            """, [.int4(series), .int8(rowsAfter)])
    }
}

/// A sample that is stored as a row.
struct StoredSampleRow {
    let position: Int64
    let sample: ReceivedSample
    /// The row of its origin; 0 for none.
    let origin: Int64

    /// Reads a row of `SampleRowCommands`.
    init(_ row: inout PostgresRow) throws {
        position = try row.integer()
        let id = try row.sampleID()
        let (start, end) = (try row.instant(), try row.instant())
        let value = try row.real()
        origin = try row.optional { try $0.integer() } ?? 0
        sample = ReceivedSample(
            id: id, start: start, end: end, value: value, revision: try row.integer(), isDeleted: try row.bool(),
            isUppercase: try row.bool())
    }
}
