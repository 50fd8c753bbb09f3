import Foundation
import HealthSyncDomain

/// The row ids of types and origins, cached by the writer so that a page costs one statement instead of three.
final class ReferenceRows {
    private struct TypeRow {
        var id: Int64
        var definition: SampleTypeDefinition
        var longest: Int64
    }

    private struct ProviderOrigin: Hashable {
        var provider: ExactText
        var origin: SampleOrigin
    }

    private var types: [SampleType: TypeRow] = [:]
    private var origins: [ProviderOrigin: Int64] = [:]
    private var dataVersion: Int64?

    /// Clears the cache if another connection has written since.
    func validate(over connection: SQLiteConnection) throws {
        let version = try connection.first("PRAGMA data_version") { try $0.integer() }
        if version != dataVersion { forget() }
        dataVersion = version
    }

    /// Clears the cache. After a rollback the cached rows may not exist.
    func forget() {
        types.removeAll()
        origins.removeAll()
    }

    /// Returns the row id of the type of `definition`; inserts or updates the row if necessary.
    func typeID(
        _ definition: SampleTypeDefinition, longest: Int64, over connection: SQLiteConnection
    ) throws -> Int64 {
        guard var row = try typeRow(definition.type, over: connection) else {
            try connection.execute(
                "INSERT INTO sample_type (identifier, definition, longest_ms) VALUES (?, ?, ?)",
                definition.type.rawValue, try TypeDefinitionText.text(of: definition), longest)
            let id = connection.lastInsertedRowID
            types[definition.type] = TypeRow(id: id, definition: definition, longest: longest)
            return id
        }
        if row.definition != definition || row.longest < longest {
            row.definition = definition
            row.longest = max(row.longest, longest)
            try connection.execute(
                "UPDATE sample_type SET definition = ?, longest_ms = ? WHERE id = ?",
                try TypeDefinitionText.text(of: definition), row.longest, row.id)
            types[definition.type] = row
        }
        return row.id
    }

    /// Returns the row id of `type`; `nil` if it never had a page.
    func typeID(_ type: SampleType, over connection: SQLiteConnection) throws -> Int64? {
        try typeRow(type, over: connection)?.id
    }

    /// Returns the row id of `origin` of `provider`; `nil` if it never had a page.
    func originID(_ origin: SampleOrigin, provider: String, over connection: SQLiteConnection) throws -> Int64? {
        let key = ProviderOrigin(provider: ExactText(provider), origin: origin)
        if let id = origins[key] { return id }
        let id = try connection.first(
            """
            SELECT id FROM origin WHERE provider = ? AND source_name = ? AND device = ? AND is_user_entered = ?
                AND is_pre_aggregated = ?
            """, provider, origin.sourceName, origin.device, origin.isUserEntered, origin.isPreAggregated
        ) { try $0.integer() }
        origins[key] = id
        return id
    }

    /// Returns the row id of `origin` of `provider`; inserts the row if it is missing.
    func requireOriginID(_ origin: SampleOrigin, provider: String, over connection: SQLiteConnection) throws -> Int64 {
        if let id = try originID(origin, provider: provider, over: connection) { return id }
        try connection.execute(
            """
            INSERT INTO origin (provider, source_name, device, is_user_entered, is_pre_aggregated)
            VALUES (?, ?, ?, ?, ?)
            """, provider, origin.sourceName, origin.device, origin.isUserEntered, origin.isPreAggregated)
        let id = connection.lastInsertedRowID
        origins[ProviderOrigin(provider: ExactText(provider), origin: origin)] = id
        return id
    }

    private func typeRow(_ type: SampleType, over connection: SQLiteConnection) throws -> TypeRow? {
        if let row = types[type] { return row }
        let row = try connection.first(
            "SELECT id, definition, longest_ms FROM sample_type WHERE identifier = ?", type.rawValue
        ) { row in
            TypeRow(
                id: try row.integer(),
                definition: try TypeDefinitionText.definition(type, try row.text(), path: connection.path),
                longest: try row.integer())
        }
        types[type] = row
        return row
    }
}

/// A type definition as the JSON in `sample_type.definition`.
enum TypeDefinitionText {
    private struct Members: Codable {
        var kind: SampleKind
        /// Absent for arithmetic means.
        var averaging: SampleAveraging?
        var unit: String
        var factors: [String: Double]
        /// Absent if no unit needs one.
        var offsets: [String: Double]?
        var categoryValues: [String: Int]
    }

    static func text(of definition: SampleTypeDefinition) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let members = Members(
            kind: definition.kind, averaging: definition.averaging == .arithmetic ? nil : definition.averaging,
            unit: definition.unit, factors: definition.factors,
            offsets: definition.offsets.isEmpty ? nil : definition.offsets, categoryValues: definition.categoryValues)
        return String(decoding: try encoder.encode(members), as: UTF8.self)
    }

    static func definition(_ type: SampleType, _ text: String, path: String) throws -> SampleTypeDefinition {
        guard let members = try? JSONDecoder().decode(Members.self, from: Data(text.utf8)) else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable definition of \(type.rawValue)")
        }
        return SampleTypeDefinition(
            type, members.kind, averaging: members.averaging ?? .arithmetic, unit: members.unit,
            factors: members.factors, offsets: members.offsets ?? [:], categoryValues: members.categoryValues)
    }
}
