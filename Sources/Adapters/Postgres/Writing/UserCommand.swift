/// A statement about one user's rows, whose number is `$1`; the other parameters follow.
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
    /// Makes everybody wait who writes for this user, until the transaction ends, and gives the last position given.
    static func lock(_ userRow: Int32) -> PostgresCommand {
        PostgresCommand("SELECT last_position FROM positions WHERE user_id = $1 FOR UPDATE", .int4(userRow))
    }
}
