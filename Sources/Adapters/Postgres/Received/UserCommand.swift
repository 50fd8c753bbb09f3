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
    /// Returns a command that locks writes of this user until the end of the transaction and reads the last assigned
    /// position.
    static func lock(_ userRow: Int32) -> PostgresCommand {
        PostgresCommand("SELECT last_position FROM positions WHERE user_id = $1 FOR UPDATE", .int4(userRow))
    }
}
