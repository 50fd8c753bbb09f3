/// The settings of a session and the requirements for a server.
enum SessionSettings {
    /// The oldest supported version of the server.
    private static let oldestVersion = 140_000

    private static func settings(statementTimeout: Int) -> String {
        """
        SET search_path TO healthsync;
        SET client_min_messages TO warning;
        SET lock_timeout TO '20s';
        SET statement_timeout TO '\(statementTimeout)s';
        SET idle_in_transaction_session_timeout TO '30s';
        SET tcp_keepalives_idle TO 30;
        SET tcp_keepalives_interval TO 10;
        SET tcp_keepalives_count TO 3;
        SET plan_cache_mode TO force_custom_plan;
        SET enable_seqscan TO off;
        SET enable_hashjoin TO off;
        SET enable_mergejoin TO off;
        SET jit TO off;
        """
    }

    /// Applies the settings and verifies those that durability depends on. Every statement looks up rows by an index;
    /// the planner settings enforce that regardless of the table statistics. Each execution is planned, because a plan
    /// that was made while a table was empty can be a thousand times slower later.
    static func setUp(_ connection: PostgresConnection, statementTimeout: Int) throws {
        guard connection.serverVersion >= oldestVersion else {
            throw rejection(
                "the server is PostgreSQL \(connection.serverVersion / 10_000)", advice: "use version 14 or later")
        }
        guard connection.status("server_encoding") == "UTF8" else {
            throw rejection(
                "the database is not in UTF-8", advice: "create it with `createdb --encoding=UTF8 --template=template0`"
            )
        }
        try connection.execute(settings(statementTimeout: statementTimeout))
        // `remote_apply` waits for more than `on`; all other values wait for less.
        try connection.execute(
            """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') <> 'remote_apply'
            """)
        let durable = try connection.run(
            """
            SELECT current_setting('synchronous_commit') IN ('on', 'remote_apply') AND current_setting('fsync') = 'on'
            """)
        guard try durable.first({ try $0.bool() }) == true else {
            throw rejection("the server's commits are not durable", advice: "set fsync and synchronous_commit to on")
        }
    }

    private static func rejection(_ message: String, advice: String) -> PostgresError {
        PostgresError(kind: .notConnected, sqlState: "", message: message, advice: advice)
    }
}
