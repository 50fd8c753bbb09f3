import Foundation
import HealthSyncDomain

/// Rows of `shoe_session`.
enum ShoeSessionRows {
    /// The columns that `session` reads.
    static let columns = "id, shoe_id, start_ms, end_ms, is_auto_started, is_auto_closed"

    static func store(_ session: ShoeSession, over connection: SQLiteConnection) throws {
        try connection.execute(
            "INSERT INTO shoe_session (\(columns)) VALUES (?, ?, ?, ?, ?, ?)", UUIDText.text(session.id),
            UUIDText.text(session.shoe), session.start, session.end, session.isAutoStarted,
            session.isAutoClosed)
    }

    static func session(_ row: SQLiteStatement, path: String) throws -> ShoeSession {
        ShoeSession(
            id: try ShoeRows.uuid(row, path: path), shoe: try ShoeRows.uuid(row, path: path),
            start: try row.instant(), end: try row.optional { try $0.instant() }, isAutoStarted: try row.bool(),
            isAutoClosed: try row.bool())
    }
}
