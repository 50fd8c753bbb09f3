import HealthSyncDomain
import HealthSyncPorts

/// Rows of `line_page`: the content of export lineages for pages that are not in the first lineage alone.
enum LineagePageRows {
    static func digests(
        of provider: String, over connection: SQLiteConnection
    ) throws -> [SamplePageKey: [Int: ContentDigest]] {
        let origins = try OriginTable(provider: provider, over: connection)
        var digests: [SamplePageKey: [Int: ContentDigest]] = [:]
        _ = try connection.rows(
            """
            SELECT identifier, day, origin_id, line, digest FROM line_page JOIN sample_type ON sample_type.id = type_id
            """
        ) { row in
            let type = SampleType(rawValue: try row.text())
            let day = try row.day()
            guard let origin = origins.origins[try row.integer()] else { return }
            let lineage = try row.int()
            digests[SamplePageKey(type: type, origin: origin, day: day), default: [:]][lineage] = try row.digest()
        }
        return digests
    }

    static func pages(
        at key: SamplePageKey, type: Int64, origin: Int64, over connection: SQLiteConnection
    ) throws -> [Int: PackedPage] {
        let pages = try connection.rows(
            """
            SELECT line, count, sum, first_start_ms, last_end_ms, digest, columns FROM line_page
            WHERE type_id = ? AND day = ? AND origin_id = ?
            """, type, key.day, origin
        ) { row in (try row.int(), try row.page(at: key)) }
        return Dictionary(pages, uniquingKeysWith: { first, _ in first })
    }

    static func set(
        _ page: PackedPage, lineage: Int, type: Int64, origin: Int64, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO line_page
                (type_id, day, origin_id, line, count, sum, first_start_ms, last_end_ms, digest, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (type_id, day, origin_id, line) DO UPDATE SET count = excluded.count, sum = excluded.sum,
                first_start_ms = excluded.first_start_ms, last_end_ms = excluded.last_end_ms,
                digest = excluded.digest, columns = excluded.columns
            """, type, page.key.day, origin, lineage, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
    }

    static func remove(
        at key: SamplePageKey, lineage: Int, type: Int64, origin: Int64, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            "DELETE FROM line_page WHERE type_id = ? AND day = ? AND origin_id = ? AND line = ?", type, key.day, origin,
            lineage)
    }
}

/// The origins of a database by row id. There are a few hundred at most, so they are read at once.
struct OriginTable {
    /// The origins by row id.
    let origins: [Int64: SampleOrigin]
    /// The provider of each origin, by row id.
    let providers: [Int64: String]
    /// The rank of each row id in an order that depends only on origin and provider, not on insertion.
    let ranks: [Int64: Int]

    /// Reads the origins of `provider`, or all origins for `nil`.
    init(provider: String? = nil, over connection: SQLiteConnection) throws {
        let rows = try connection.rows(
            """
            SELECT id, source_name, device, is_user_entered, is_pre_aggregated, provider FROM origin
            WHERE ?1 IS NULL OR provider = ?1
            ORDER BY source_name, device, is_user_entered, is_pre_aggregated, provider
            """, provider
        ) { row in
            (
                id: try row.integer(),
                origin: SampleOrigin(
                    sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
                    isPreAggregated: try row.bool()),
                provider: try row.text()
            )
        }
        origins = Dictionary(rows.map { ($0.id, $0.origin) }, uniquingKeysWith: { first, _ in first })
        providers = Dictionary(rows.map { ($0.id, $0.provider) }, uniquingKeysWith: { first, _ in first })
        ranks = Dictionary(
            rows.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the origin of a row.
    /// - Throws: A damage failure if the row does not exist.
    func origin(_ id: Int64, path: String) throws -> SampleOrigin {
        guard let origin = origins[id] else {
            throw SQLiteFailure.damaged(path, "the database contains a page without an origin")
        }
        return origin
    }
}

extension SQLiteStatement {
    /// Reads the next columns: count, sum, first_start_ms, last_end_ms, digest, columns.
    func page(at key: SamplePageKey) throws -> PackedPage {
        let summary = SamplePageSummary(
            count: try int(), sum: try real(), firstStart: try instant(), lastEnd: try instant())
        let digest = try digest()
        return PackedPage(key: key, summary: summary, bytes: try blob(), digest: digest)
    }
}

/// Rows of `changed_page`: the content that pages had when the intervals of their type were last computed.
enum ChangedPageRows {
    /// Returns whether there are types with intervals.
    static func areNoted(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("SELECT 1 FROM layered_type LIMIT 1") { _ in true } ?? false
    }

    /// Records the content of the page before its first change; does nothing for a type without intervals.
    static func note(type: Int64, day: CalendarDay, origin: Int64, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT OR IGNORE INTO changed_page (type_id, day, origin_id, columns)
            SELECT ?1, ?2, ?3, (SELECT columns FROM sample_page WHERE type_id = ?1 AND day = ?2 AND origin_id = ?3)
            WHERE EXISTS (SELECT 1 FROM layered_type WHERE type_id = ?1)
            """, type, day, origin)
    }

    /// Returns the changed pages of `type` with their current content.
    static func changes(of type: SampleType, over connection: SQLiteConnection) throws -> [ChangedPage] {
        let origins = try OriginTable(over: connection)
        return try connection.rows(
            """
            SELECT day, origin_id, columns, (SELECT page.columns FROM sample_page AS page WHERE
                page.type_id = changed_page.type_id AND page.day = changed_page.day
                AND page.origin_id = changed_page.origin_id), is_former
            FROM changed_page WHERE type_id = (SELECT id FROM sample_type WHERE identifier = ?)
            ORDER BY day, origin_id
            """, type.rawValue
        ) { row in
            let day = try row.day()
            let id = try row.integer()
            let origin = try origins.origin(id, path: connection.path)
            return ChangedPage(
                key: SamplePageKey(type: type, origin: origin, day: day), provider: origins.providers[id] ?? "",
                before: try row.optional { try $0.blob() }, after: try row.optional { try $0.blob() },
                isFormer: try row.bool())
        }
    }
}
