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
            let line = try row.int()
            digests[SamplePageKey(type: type, origin: origin, day: day), default: [:]][line] = try row.digest()
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
        _ page: PackedPage, line: Int, type: Int64, origin: Int64, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            """
            INSERT INTO line_page
                (type_id, day, origin_id, line, count, sum, first_start_ms, last_end_ms, digest, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (type_id, day, origin_id, line) DO UPDATE SET count = excluded.count, sum = excluded.sum,
                first_start_ms = excluded.first_start_ms, last_end_ms = excluded.last_end_ms,
                digest = excluded.digest, columns = excluded.columns
            """, type, page.key.day, origin, line, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
    }

    static func remove(
        at key: SamplePageKey, line: Int, type: Int64, origin: Int64, over connection: SQLiteConnection
    ) throws {
        try connection.execute(
            "DELETE FROM line_page WHERE type_id = ? AND day = ? AND origin_id = ? AND line = ?", type, key.day, origin,
            line)
    }
}
