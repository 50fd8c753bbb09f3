/// A numbered change of the schema, made in one transaction. A released migration is never edited.
struct PostgresMigration {
    let number: Int64
    let sql: String

    static let all = [migration0001, migration0002, migration0003, migration0004]

    /// The advisory lock `HSPG`, held during a migration, so that of several processes that start at once only one
    /// migrates.
    private static let lock: Int64 = 0x4853_5047

    /// Throws if `numbers` are not 1, 2, 3 and so on: with a gap or a duplicate a migration would be silently skipped.
    static func requireConsecutive(_ numbers: [Int64]) throws(PostgresError) {
        guard numbers != Array(1..<Int64(numbers.count) + 1) else { return }
        throw PostgresError(
            kind: .notConnected, sqlState: "", message: "the schema migrations are not consecutive: \(numbers)",
            advice: "report this as a bug")
    }

    /// Applies every missing migration.
    static func migrate(_ connection: PostgresConnection) throws {
        try requireConsecutive(all.map(\.number))
        let latest = Int64(all.count)
        var version = try version(of: connection)
        for migration in all where migration.number > version {
            try connection.run([.begin])
            // Waits for the migration of another process without a limit, and for locks on tables with the usual limit.
            try connection.execute(
                """
                SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO 0; SELECT pg_advisory_xact_lock(\(lock));
                SET LOCAL lock_timeout TO '\(SessionSettings.lockTimeout)'
                """)
            // Another process may have applied it while this one waited for the lock.
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
                message: "the database has schema \(version); this program supports \(latest)",
                advice: "update healthsync")
        }
    }

    private static func version(of connection: PostgresConnection) throws -> Int64 {
        // Reads the catalog itself, because a session may cache an older result of `to_regclass`.
        let exists = try connection.run(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_tables
                WHERE schemaname = 'healthsync' AND tablename = 'schema_version')
            """)
        guard try exists.first({ try $0.bool() }) == true else { return 0 }
        return try connection.run("SELECT coalesce(max(version), 0) FROM healthsync.schema_version")
            .first { try $0.integer() } ?? 0
    }
}
