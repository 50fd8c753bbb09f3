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

extension PostgresCommand {
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
