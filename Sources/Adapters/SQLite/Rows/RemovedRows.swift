import HealthSyncDomain

/// Rows of `removed_record`: the tombstones of records and entries.
enum RemovedRows {
    static func store(_ removed: Tombstone, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT INTO removed_record (source_id, kind, ordering_key, revision) VALUES (?, ?, ?, ?)
            ON CONFLICT (source_id) DO UPDATE SET kind = excluded.kind, ordering_key = excluded.ordering_key,
                revision = max(revision, excluded.revision)
            """, removed.sourceID, removed.kind.rawValue, removed.orderingKey, removed.revision)
    }

    /// Returns whether there are tombstones.
    static func exist(over connection: SQLiteConnection) throws -> Bool {
        try connection.first("SELECT 1 FROM removed_record LIMIT 1") { _ in true } ?? false
    }

    /// Deletes the tombstones of ids that exist again: those of a record or its entries, all under one ordering key.
    static func forget(
        _ sourceIDs: @autoclosure () -> [String], orderingKey: String, over connection: SQLiteConnection
    ) throws {
        let removed = try connection.rows(
            "SELECT source_id FROM removed_record WHERE ordering_key = ?", orderingKey
        ) { try $0.text() }
        guard !removed.isEmpty else { return }
        let present = Set(sourceIDs())
        for sourceID in removed where present.contains(sourceID) {
            try connection.execute("DELETE FROM removed_record WHERE source_id = ?", sourceID)
        }
    }

    /// Returns the highest revision of each of `orderingKeys`.
    static func revisions(of orderingKeys: [String], over connection: SQLiteConnection) throws -> [String: Int] {
        var revisions: [String: Int] = [:]
        guard try exist(over: connection) else { return revisions }
        for key in orderingKeys {
            revisions[key] = try connection.first(
                """
                SELECT revision FROM removed_record WHERE ordering_key = ? ORDER BY revision DESC LIMIT 1
                """, key
            ) { try $0.int() }
        }
        return revisions
    }

    /// Raises every revision by one, and to `revision` at least.
    static func renew(revision: Int, over connection: SQLiteConnection) throws {
        try connection.execute("UPDATE removed_record SET revision = max(revision + 1, ?)", revision)
    }

    /// Returns the tombstones that were never enqueued for `destination`, by revision; all of them for `nil`, which
    /// matches no row in SQL.
    static func missing(destination: String?, over connection: SQLiteConnection) throws -> [Tombstone] {
        let unknown = ["outbox_item", "delivered"].map { known in
            """
            NOT EXISTS (SELECT 1 FROM \(known) AS known WHERE known.destination = ?1
                AND known.kind = removed_record.kind
                AND known.dedup_key = removed_record.source_id || '@' || removed_record.revision)
            """
        }.joined(separator: " AND ")
        return try connection.rows(
            """
            SELECT source_id, kind, revision, ordering_key FROM removed_record WHERE \(unknown)
            ORDER BY revision, source_id
            """, destination
        ) { row in
            Tombstone(
                sourceID: try row.text(), kind: RecordKind(rawValue: try row.text()), revision: try row.int(),
                orderingKey: try row.text())
        }
    }
}
