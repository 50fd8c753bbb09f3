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

/// Rows of `shoe`.
private enum ShoeRows {
    /// The columns that `shoe` reads.
    static let columns = """
        id, brand, model, emoji, colour, purchased_on, price, currency, default_since_ms, archived_at_ms, added_at_ms
        """

    static func store(_ shoe: Shoe, over connection: SQLiteConnection) throws {
        let details = shoe.details
        try connection.execute(
            """
            INSERT INTO shoe (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, model = excluded.model, emoji = excluded.emoji,
                colour = excluded.colour, purchased_on = excluded.purchased_on, price = excluded.price,
                currency = excluded.currency, default_since_ms = excluded.default_since_ms,
                archived_at_ms = excluded.archived_at_ms
            """, UUIDText.text(shoe.id), details.brand, details.model, details.emoji, details.color,
            details.purchasedOn, details.price?.amount, details.price?.currency, shoe.defaultSince, shoe.archivedAt,
            shoe.addedAt)
    }

    static func shoe(_ row: SQLiteStatement, path: String) throws -> Shoe {
        let id = try uuid(row, path: path)
        var details = ShoeDetails(brand: try row.text(), model: try row.text())
        details.emoji = try row.optional { try $0.text() }
        details.color = try row.optional { try $0.text() }
        details.purchasedOn = try row.optional { try $0.day() }
        let amount = try row.optional { try $0.real() }
        let currency = try row.optional { try $0.text() }
        if let amount, let currency { details.price = ShoePrice(amount: amount, currency: currency) }
        let defaultSince = try row.optional { try $0.instant() }
        let archivedAt = try row.optional { try $0.instant() }
        return Shoe(
            id: id, details: details, defaultSince: defaultSince, archivedAt: archivedAt, addedAt: try row.instant())
    }

    /// Reads the next column: a UUID.
    static func uuid(_ row: SQLiteStatement, path: String) throws -> UUID {
        guard let id = UUIDText.uuid(try row.utf8()) else {
            throw SQLiteFailure.damaged(path, "the database contains a shoe or session whose id is not a UUID")
        }
        return id
    }
}

/// Rows of `shoe_session`.
private enum ShoeSessionRows {
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

/// Rows of `attributed_day`. Triggers delete a day when its inputs change.
private enum AttributedDayRows {
    static func store(_ day: AttributedDay, rules: ContentDigest, over connection: SQLiteConnection) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO attributed_day (day, rules, figures) VALUES (?, ?, ?)", day.day, rules,
            SQLiteValue.utf8(text(of: day.figures)))
    }

    /// Reads a row with the columns `day, figures`.
    static func day(_ row: SQLiteStatement, path: String) throws -> AttributedDay {
        let day = try row.day()
        do throws(UnexpectedJSON) {
            return AttributedDay(day: day, figures: try figures(from: try row.json()))
        } catch {
            throw SQLiteFailure.damaged(path, "the database contains unreadable figures of shoes on \(day)")
        }
    }

    /// Returns `[{"shoe":"…","steps":n,"kilometres":n},…]`; absent members are omitted.
    private static func text(of figures: [Shoe.ID: WalkFigures]) -> [UInt8] {
        let entries = figures.map { (shoe: UUIDText.text($0), figures: $1) }.sorted { $0.shoe < $1.shoe }
        var json = JSONBytes(reserving: 2 + entries.count * 96)
        json.array(entries) { json, entry in
            json.raw("{\"shoe\":")
            json.string(entry.shoe)
            if let steps = entry.figures.steps {
                json.raw(",\"steps\":")
                json.number(steps)
            }
            if let kilometres = entry.figures.kilometres {
                json.raw(",\"kilometres\":")
                json.number(kilometres)
            }
            json.raw("}")
        }
        return json.bytes
    }

    private static func figures(from text: [UInt8]) throws(UnexpectedJSON) -> [Shoe.ID: WalkFigures] {
        let entries = try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"shoe\":")
            guard let shoe = UUIDText.uuid(Array(try reader.string().utf8)) else { throw UnexpectedJSON() }
            var figures = WalkFigures()
            if reader.skip(",\"steps\":") { figures.steps = try reader.number() }
            if reader.skip(",\"kilometres\":") { figures.kilometres = try reader.number() }
            try reader.expect("}")
            return (shoe, figures)
        }
        return Dictionary(entries, uniquingKeysWith: { first, _ in first })
    }
}
