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

    static let begin = PostgresCommand("BEGIN ISOLATION LEVEL READ COMMITTED")
    static let beginReading = PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = PostgresCommand("COMMIT")
}
