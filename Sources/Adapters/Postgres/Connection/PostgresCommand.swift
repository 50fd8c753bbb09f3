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
}
