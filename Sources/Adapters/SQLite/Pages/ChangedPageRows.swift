import HealthSyncDomain
import HealthSyncPorts

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
