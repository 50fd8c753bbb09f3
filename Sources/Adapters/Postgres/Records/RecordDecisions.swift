import HealthSyncDomain

/// Decides the outcomes of the derived records of a group in order.
struct RecordDecisions {
    private struct Row {
        var kind: RecordKind
        var record: ReceivedRecord
        var createdAt: Instant
        var updatedAt: Instant
    }
    /// The id as UTF-8: canonically equivalent ids of different code points are different ids.
    private struct Key: Hashable {
        var kind: RecordKind
        var id: [UInt8]
    }
    private struct Known {
        var revision: Int64
        var isDeleted: Bool
        /// The index of its new version among the changed rows; `nil` if it is unchanged.
        var index: Int?
    }

    private var requested: [(kind: RecordKind, id: String)] = []
    private var known: [Key: Known] = [:]
    private var changed: [Row] = []

    init(_ writes: [ReceivedWrite]) {
        for case .records(let kind, let records) in writes.map(\.content) {
            requested += records.map { (kind, $0.id) }
        }
    }

    /// The query for records that are already stored.
    var query: UserCommand? {
        guard !requested.isEmpty else { return nil }
        return UserCommand(
            """
            SELECT r.kind, r.id, r.revision, r.is_deleted FROM unnest($2::text[], $3::text[]) AS n (kind, id)
            JOIN records r ON r.user_id = $1 AND r.kind = n.kind AND r.id = n.id
            """,
            [
                .array(.text, of: requested) { $0.text($1.kind.rawValue) },
                .array(.text, of: requested) { $0.text($1.id) },
            ])
    }

    mutating func load(_ rows: PostgresRows) throws {
        let stored = try rows.map { row in
            (
                Key(kind: RecordKind(rawValue: try row.text()), id: Array(try row.text().utf8)),
                Known(revision: try row.integer(), isDeleted: try row.bool())
            )
        }
        for (key, state) in stored { known[key] = state }
    }

    mutating func decide(_ record: ReceivedRecord, kind: RecordKind, at instant: Instant) -> StoreOutcome {
        let key = Key(kind: kind, id: Array(record.id.utf8))
        let before = known[key]
        let outcome = StoreOutcome.of(
            revision: record.revision, isDeleted: record.isDeleted, over: before.map { ($0.revision, $0.isDeleted) })
        guard outcome != .duplicate else { return outcome }
        let index = before?.index ?? changed.count
        let createdAt = index < changed.count ? changed[index].createdAt : instant
        let row = Row(kind: kind, record: record, createdAt: createdAt, updatedAt: instant)
        if index == changed.count { changed.append(row) } else { changed[index] = row }
        known[key] = Known(revision: record.revision, isDeleted: record.isDeleted, index: index)
        return outcome
    }

    var changes: [UserCommand] {
        guard !changed.isEmpty else { return [] }
        return [UserCommand(Self.upsert, columns)]
    }

    private static let upsert = """
        INSERT INTO records (user_id, kind, id, revision, is_deleted, type, granularity, day, start_ms, body,
            created_ms, updated_ms)
        SELECT $1, n.* FROM unnest($2::text[], $3::text[], $4::bigint[], $5::boolean[], $6::text[], $7::text[],
            $8::date[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[]) AS n
        ON CONFLICT (user_id, kind, id) DO UPDATE SET revision = excluded.revision,
            is_deleted = excluded.is_deleted, type = excluded.type, granularity = excluded.granularity,
            day = excluded.day, start_ms = excluded.start_ms, body = excluded.body, updated_ms = excluded.updated_ms
        """

    private var columns: [PostgresParameter] {
        [
            .array(.text, of: changed) { $0.text($1.kind.rawValue) },
            .array(.text, of: changed) { $0.text($1.record.id) },
            .array(.int8, of: changed) { $0.int8($1.record.revision) },
            .array(.bool, of: changed) { $0.bool($1.record.isDeleted) },
            .array(.text, of: changed) { $0.text($1.record.type) },
            .array(.text, of: changed) { $0.text($1.record.granularity) },
            .array(.date, of: changed) { $0.date($1.record.day) },
            .array(.int8, of: changed) { $0.int8($1.record.start.milliseconds) },
            .array(.text, of: changed) { $0.bytea($1.record.body) },
            .array(.int8, of: changed) { $0.int8($1.createdAt.milliseconds) },
            .array(.int8, of: changed) { $0.int8($1.updatedAt.milliseconds) },
        ]
    }
}
