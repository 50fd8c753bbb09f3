import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The shoe collection, in `shoe`, `shoe_session`, `shoe_settled` and `attributed_day`. Triggers of the schema reject
/// overlapping sessions and delete outdated attributed days.
struct SQLiteShoeStore: ShoeStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader

    func shoes() async throws -> [Shoe] {
        try await reader.read { connection in
            try connection.rows("SELECT \(ShoeRows.columns) FROM shoe ORDER BY added_at_ms, id") {
                try ShoeRows.shoe($0, path: connection.path)
            }
        }
    }

    func sessions() async throws -> ShoeSessions {
        try await reader.remembered("sessions") { connection in
            ShoeSessions(
                try connection.rows("SELECT \(ShoeSessionRows.columns) FROM shoe_session") {
                    try ShoeSessionRows.session($0, path: connection.path)
                })
        }
    }

    func settled(on days: DayRange) async throws -> Set<SettledHours> {
        try await reader.read { connection in
            Set(
                try connection.rows(
                    "SELECT day, start_ms FROM shoe_settled WHERE day BETWEEN ? AND ?", days.first, days.last
                ) { SettledHours(day: try $0.day(), start: try $0.instant()) })
        }
    }

    func attributedDays(of days: DayRange, by rules: ContentDigest) async throws -> [AttributedDay] {
        try await reader.remembered("attributed days", "\(days.first) \(days.last) \(rules.high) \(rules.low)") {
            connection in
            try connection.rows(
                "SELECT day, figures FROM attributed_day WHERE day BETWEEN ? AND ? AND rules = ? ORDER BY day",
                days.first, days.last, rules
            ) { try AttributedDayRows.day($0, path: connection.path) }
        }
    }

    func remember(_ days: [AttributedDay], by rules: ContentDigest) async throws {
        try await writer.write { transaction in
            for day in days { try AttributedDayRows.store(day, rules: rules, over: transaction.connection) }
        }
    }

    func commit(_ change: ShoeChange) async throws {
        try await writer.write { transaction in
            let connection = transaction.connection
            // Shoes that are no longer the default first, because at most one may be.
            for shoe in change.shoes.sorted(by: { !$0.isDefault && $1.isDefault }) {
                try ShoeRows.store(shoe, over: connection)
            }
            // Moved sessions may overlap each other's former time, so all of them are deleted before any is inserted.
            for id in change.removedSessions + change.sessions.map(\.id) {
                try connection.execute("DELETE FROM shoe_session WHERE id = ?", UUIDText.text(id))
            }
            for id in change.removedShoes {
                try connection.execute("DELETE FROM shoe WHERE id = ?", UUIDText.text(id))
            }
            for session in change.sessions { try ShoeSessionRows.store(session, over: connection) }
            for stretch in change.settled {
                try connection.execute(
                    "INSERT OR IGNORE INTO shoe_settled (day, start_ms) VALUES (?, ?)", stretch.day, stretch.start)
            }
        }
    }
}
