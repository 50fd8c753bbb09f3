import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Rows of `complete_window` and `window_part`: the complete windows of change streams, and parts of windows.
enum WindowRows {
    static func known(of provider: String, over connection: SQLiteConnection) throws -> [KnownWindow] {
        try connection.rows(
            """
            SELECT type, start_ms, end_ms, version FROM complete_window WHERE provider = ?
            ORDER BY type, start_ms, end_ms
            """, provider
        ) { row in
            KnownWindow(
                type: SampleType(rawValue: try row.text()), start: try row.instant(), end: try row.instant(),
                version: try row.integer())
        }
    }

    static func put(_ window: KnownWindow, of provider: String, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            DELETE FROM complete_window
            WHERE provider = ? AND type = ? AND start_ms >= ? AND end_ms <= ? AND version <= ?
            """, provider, window.type.rawValue, window.start, window.end, window.version)
        try connection.execute(
            "INSERT OR REPLACE INTO complete_window (provider, type, start_ms, end_ms, version) VALUES (?, ?, ?, ?, ?)",
            provider, window.type.rawValue, window.start, window.end, window.version)
    }

    static func parts(of provider: String, over connection: SQLiteConnection) throws -> [WindowPart] {
        try connection.rows(
            """
            SELECT start_ms, end_ms, version, date_ms, is_last, lists FROM window_part WHERE provider = ?
            ORDER BY start_ms, end_ms, version
            """, provider
        ) { row in
            var part = WindowPart(
                start: try row.instant(), end: try row.instant(), version: try row.integer(), date: try row.instant(),
                isLast: try row.bool(), lists: [])
            let text = try row.text()
            do { part.lists = try JSONDecoder().decode([WindowPart.List].self, from: Data(text.utf8)) } catch {
                throw SQLiteFailure.damaged(connection.path, "the database contains an invalid part of a window")
            }
            return part
        }
    }

    static func put(_ part: WindowPart, of provider: String, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT OR REPLACE INTO window_part (provider, start_ms, end_ms, version, date_ms, is_last, lists)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, provider, part.start, part.end, part.version, part.date, part.isLast,
            String(decoding: try JSONEncoder().encode(part.lists), as: UTF8.self))
    }
}
