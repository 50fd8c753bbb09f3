import Foundation
import HealthSyncDomain

/// Rows of `attributed_day`. Triggers delete a day when its inputs change.
enum AttributedDayRows {
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
