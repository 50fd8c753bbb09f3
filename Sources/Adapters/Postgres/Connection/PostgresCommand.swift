import HealthSyncDomain

/// A statement with its parameters `$1`, `$2` and so on.
struct PostgresCommand {
    var sql: String
    var parameters: [PostgresParameter]

    init(_ sql: String, _ parameters: PostgresParameter...) {
        self.sql = sql
        self.parameters = parameters
    }

    init(_ sql: String, _ parameters: [PostgresParameter]) {
        self.sql = sql
        self.parameters = parameters
    }

    /// Whether it begins a transaction.
    var beginsTransaction: Bool { sql.hasBytePrefix("BEGIN") }

    static let begin = PostgresCommand("BEGIN ISOLATION LEVEL READ COMMITTED")
    static let beginReading = PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    /// Plans the further statements of the transaction for their parameters and the present sizes of the tables.
    static let planEach = PostgresCommand("SET LOCAL plan_cache_mode TO force_custom_plan")
    static let commit = PostgresCommand("COMMIT")

    /// Returns a command that locks writes of this user until the end of the transaction. It returns the epoch: a text
    /// that changes if the database was restored, or if another server with other content became the primary.
    static func lock(_ userRow: Int32) -> PostgresCommand {
        PostgresCommand(
            """
            SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' || tableoid FROM user_locks
            WHERE user_id = $1 FOR UPDATE
            """, .int4(userRow))
    }
}

/// A statement on the rows of one user, whose row id is `$1`; the other parameters follow.
struct UserCommand {
    let sql: String
    let parameters: [PostgresParameter]

    init(_ sql: String, _ parameters: [PostgresParameter]) {
        self.sql = sql
        self.parameters = parameters
    }

    func command(userRow: Int32) -> PostgresCommand { PostgresCommand(sql, [.int4(userRow)] + parameters) }
}
