import HealthSyncDomain
import HealthSyncPorts

/// A transaction that stores requests of one user. New samples of one type usually take one round trip, other requests
/// at least two: look up, then write and commit.
///
/// It first locks the user's row in `user_locks`. So writes of one user, from any process, happen one after another:
/// outcomes are decided on current data, deadlocks cannot occur, and positions become visible in ascending order.
struct GroupTransaction {
    let user: UserName
    let writes: [ReceivedWrite]
    let indexes: SeriesIndexes

    /// Returns the outcome of each request. A failure concerns only its own request.
    func commit(in session: PostgresSession) throws -> [Result<[StoreOutcome], any Error>] {
        let userRow = try session.rows.row(of: user)
        let places = try writes.map { try SamplePlaces(of: $0, userRow: userRow, in: session.rows) }
        if let new = NewSamples(writes, places: places, userRow: userRow, indexes: indexes),
            let outcomes = try new.commit(places: places, over: session.connection)
        {
            return outcomes.map { .success($0) }
        }
        let series = Set(places.map(\.series)).subtracting([SamplePlaces.noSeries]).sorted()
        var keys = BatchKeyDecisions(writes)
        var records = RecordDecisions(writes)
        let queries = [series.isEmpty ? nil : SeriesState.select(series), keys.query, records.query]
            .map { $0?.command(userRow: userRow) }
        let answers = try session.connection.run(
            [.begin, .lock(userRow)] + queries[..<2].compactMap(\.self)
                + queries[2...].compactMap { $0.map { [.planEach, $0] } }.joined())
        let epoch = try answers.dropFirst().first?.first { try $0.text() }
        guard let epoch else { throw PostgresError(kind: .rejected, sqlState: "02000", message: "a user is missing") }
        var unread = answers.dropFirst(2)
        let states = series.isEmpty ? nil : try unread.popFirst()?.map { try SeriesState(&$0) }
        if queries[1] != nil, let answer = unread.popFirst() { try keys.load(answer) }
        if queries[2] != nil, let answer = unread.dropFirst().first { try records.load(answer) }
        var samples = SampleGroup(states ?? [], epoch: epoch, userRow: userRow, indexes: indexes)
        let failures = zip(writes, places).map { write, places -> (any Error)? in
            guard case .samples(_, let batch) = write.content else { return nil }
            return samples.request(batch.samples, series: places.series)
        }
        try samples.lookUp(over: session.connection)
        let outcomes = zip(writes, zip(places, failures)).map { write, known -> Result<[StoreOutcome], any Error> in
            if let failure = known.1 ?? keys.decide(write) { return .failure(failure) }
            switch write.content {
            case .samples(_, let batch):
                return .success(
                    samples.decide(batch.samples, series: known.0.series) { known.0.origin(of: $0) })
            case .records(let kind, let sent):
                return .success(sent.map { records.decide($0, kind: kind, at: write.receivedAt) })
            }
        }
        let changes = try samples.changes(over: session.connection) + keys.changes + records.changes
        try session.connection.run(changes.map { $0.command(userRow: userRow) } + [.commit])
        samples.finish()
        return outcomes
    }
}

/// Finds the requests of a group whose idempotency key was used before.
private struct BatchKeyDecisions {
    private let requested: [BatchKey]
    /// The content digests by the key's UTF-8: canonically equivalent keys of different code points are different keys.
    private var known: [[UInt8]: ContentDigest] = [:]
    private var added: [(key: BatchKey, at: Instant)] = []

    init(_ writes: [ReceivedWrite]) { requested = writes.compactMap(\.key) }

    /// The query for keys that are already stored.
    var query: UserCommand? {
        guard !requested.isEmpty else { return nil }
        return UserCommand(
            "SELECT key, content FROM batch_keys WHERE user_id = $1 AND key = ANY ($2::text[])",
            [.array(.text, of: requested) { $0.text($1.key) }])
    }

    mutating func load(_ rows: PostgresRows) throws {
        let stored = try rows.map { row in (key: try row.text(), content: ContentDigest(try row.bytes())) }
        for (key, content) in stored { known[Array(key.utf8)] = content }
    }

    /// Returns the failure of a request that must not be stored; `nil` if it may.
    mutating func decide(_ write: ReceivedWrite) -> SyncFailure? {
        guard let key = write.key else { return nil }
        guard let content = known[Array(key.key.utf8)] else {
            known[Array(key.key.utf8)] = key.content
            added.append((key, write.receivedAt))
            return nil
        }
        guard content != key.content else { return nil }
        return SyncFailure(
            .batchKeyReused, subject: "Idempotency-Key", reason: "was used before with different content",
            advice: "use a new key for each content")
    }

    var changes: [UserCommand] {
        guard !added.isEmpty else { return [] }
        return [
            UserCommand(
                """
                INSERT INTO batch_keys (user_id, key, content, received_ms)
                SELECT $1, n.* FROM unnest($2::text[], $3::bytea[], $4::bigint[]) AS n
                """,
                [
                    .array(.text, of: added) { $0.text($1.key.key) },
                    .array(.bytea, of: added) { $0.bytea($1.key.content.bytes) },
                    .array(.int8, of: added) { $0.int8($1.at.milliseconds) },
                ])
        ]
    }
}

/// Decides the outcomes of the derived records of a group in order.
private struct RecordDecisions {
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
