import HealthSyncDomain
import HealthSyncPorts

/// Rows of `deleted_sample`: what change streams deleted.
enum DeletedRows {
    private static let columns =
        "provider, external_id, type, day, origin_id, start_ms, duration_ms, value, window_date_ms, version,"
        + " written"

    static func exist(of provider: String, over connection: SQLiteConnection) throws -> Bool {
        try connection.first("SELECT 1 FROM deleted_sample WHERE provider = ? LIMIT 1", provider) { _ in true } ?? false
    }

    static func row(
        of provider: String, externalID: String, over connection: SQLiteConnection
    ) throws -> DeletedRow? {
        let found = try connection.first(
            "SELECT \(columns) FROM deleted_sample WHERE provider = ? AND external_id = ?", provider, externalID,
            read: stored)
        guard let found else { return nil }
        return try found.row(OriginTable(provider: provider, over: connection), path: connection.path)
    }

    static func rows(
        of types: [SampleType], days: DayRange, over connection: SQLiteConnection
    ) throws -> [DeletedRow] {
        let found = try Set(types).sorted().flatMap { type in
            try connection.rows(
                """
                SELECT \(columns) FROM deleted_sample WHERE type = ? AND day BETWEEN ? AND ?
                ORDER BY provider, external_id
                """, type.rawValue, days.first, days.last, read: stored)
        }
        guard !found.isEmpty else { return [] }
        let origins = try OriginTable(over: connection)
        return try found.map { try $0.row(origins, path: connection.path) }
    }

    /// Stores the row; `originID` is the row id of the origin of its content.
    static func put(_ row: DeletedRow, originID: Int64?, over connection: SQLiteConnection) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO deleted_sample (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row.provider, row.externalID, row.content?.key.type.rawValue, row.content?.key.day, originID,
            row.content?.start, row.content?.duration, row.content?.value, row.windowDate, row.version,
            row.content?.written.map { SQLiteValue.blob($0.bytes) })
    }

    static func remove(provider: String, externalID: String, over connection: SQLiteConnection) throws {
        try connection.execute(
            "DELETE FROM deleted_sample WHERE provider = ? AND external_id = ?", provider, externalID)
    }

    private struct Stored {
        var row: DeletedRow
        var content: (type: SampleType, day: CalendarDay, origin: Int64, start: Int64, duration: Int64, value: Double)?
        var written: [UInt8]?

        func row(_ origins: OriginTable, path: String) throws -> DeletedRow {
            var row = row
            row.content = try content.map { content in
                DeletedRow.Content(
                    key: SamplePageKey(
                        type: content.type, origin: try origins.origin(content.origin, path: path), day: content.day),
                    start: content.start, duration: content.duration, value: content.value,
                    written: try written.map { try DeletedRows.form($0, path: path) })
            }
            return row
        }
    }

    private static func form(_ bytes: [UInt8], path: String) throws -> WrittenNumber {
        do { return try WrittenNumber(bytes: bytes) } catch {
            throw SQLiteFailure.damaged(path, "the database contains a damaged deleted sample")
        }
    }

    private static func stored(_ row: SQLiteStatement) throws -> Stored {
        var stored = Stored(row: DeletedRow(provider: try row.text(), externalID: try row.text()))
        let type = try row.optional { SampleType(rawValue: try $0.text()) }
        let day = try row.optional { try $0.day() }
        let origin = try row.optional { try $0.integer() }
        let start = try row.optional { try $0.integer() }
        let duration = try row.optional { try $0.integer() }
        let value = try row.optional { try $0.real() }
        if let type, let day, let origin, let start, let duration, let value {
            stored.content = (type, day, origin, start, duration, value)
        }
        stored.row.windowDate = try row.optional { try $0.instant() }
        stored.row.version = try row.optional { try $0.integer() }
        stored.written = try row.optional { try $0.blob() }
        return stored
    }
}
