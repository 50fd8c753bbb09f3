import Foundation
import HealthSyncDomain

/// Rows of `shoe`.
enum ShoeRows {
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
            """, UUIDText.text(shoe.id), details.brand, details.model, details.emoji, details.colour,
            details.purchasedOn, details.price?.amount, details.price?.currency, shoe.defaultSince, shoe.archivedAt,
            shoe.addedAt)
    }

    static func shoe(_ row: SQLiteStatement, path: String) throws -> Shoe {
        let id = try uuid(row, path: path)
        var details = ShoeDetails(brand: try row.text(), model: try row.text())
        details.emoji = try row.optional { try $0.text() }
        details.colour = try row.optional { try $0.text() }
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
