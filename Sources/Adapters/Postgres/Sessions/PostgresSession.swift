import HealthSyncDomain

/// A connection and the row ids cached for it. Belongs to one thread.
final class PostgresSession {
    let connection: PostgresConnection
    let rows: KnownRows

    init(to address: PostgresAddress) throws {
        connection = try PostgresConnection(to: address)
        rows = KnownRows(connection: connection)
    }

    /// Reuses the plans of statements from now on, except after `PostgresCommand.planEach`. Meant for writing, whose usual
    /// statements find a row by the only index that contains all its conditions.
    func reusePlans() throws {
        // Behind a pooler, no plan lasts longer than its transaction.
        if !connection.isPooled { try connection.execute("SET plan_cache_mode TO force_generic_plan") }
    }
}
