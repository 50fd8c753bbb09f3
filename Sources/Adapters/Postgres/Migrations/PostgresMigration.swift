/// A numbered change of the schema, made in one transaction. One that was released is never edited.
struct PostgresMigration {
    let number: Int64
    let sql: String

    static let all = [migration0001, migration0002]

    /// `HSPG`: who migrates holds this advisory lock, so of several processes that start at once one does.
    private static let lock: Int64 = 0x4853_5047

    /// Makes every migration that is missing.
    static func bringUpToDate(_ connection: PostgresConnection) throws {
        let latest = Int64(all.count)
        var version = try version(of: connection)
        for migration in all where migration.number > version {
            try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
            // Somebody else may have made it while this one waited.
            version = try self.version(of: connection)
            if version < migration.number {
                try connection.execute(migration.sql)
                try connection.execute("INSERT INTO schema_version (version) VALUES (\(migration.number))")
            }
            try connection.run([.commit])
        }
        guard version <= latest else {
            throw PostgresError(
                kind: .notConnected, sqlState: "",
                message: "the database has schema \(version), and this program knows \(latest)",
                advice: "use a newer version of this program")
        }
    }

    private static func version(of connection: PostgresConnection) throws -> Int64 {
        // A look into the catalog itself: a session may still believe what `to_regclass` told it before it waited.
        let isThere = try connection.run(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_tables
                WHERE schemaname = 'healthsync' AND tablename = 'schema_version')
            """)
        guard try isThere.first({ try $0.bool() }) == true else { return 0 }
        return try connection.run("SELECT coalesce(max(version), 0) FROM healthsync.schema_version")
            .first { try $0.integer() } ?? 0
    }
}
