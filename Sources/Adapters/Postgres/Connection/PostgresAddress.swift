import CHealthSyncPQ
package import HealthSyncDomain

/// The address of a database in libpq's form: a URI or `keyword=value` pairs, completed by libpq's environment
/// variables and password file.
package struct PostgresAddress: Sendable {
    /// The address. It may contain a password and is never shown.
    let conninfo: String
    /// The part of the address that may be shown.
    package let description: String
    /// The number of seconds after which the server ends a statement; 0 for no limit.
    package var statementTimeout = 0

    /// Parses an address.
    /// - Throws: `SyncFailure` with `.usage` if libpq cannot parse it; the failure does not contain the text.
    package init(_ conninfo: String) throws(SyncFailure) {
        guard let words = Self.words(of: conninfo) else {
            throw SyncFailure(
                .usage, subject: "--store", reason: "invalid PostgreSQL address",
                advice: "use postgres://USER@HOST/DATABASE; in a URI, encode special characters as %XX")
        }
        self.conninfo = conninfo
        let database = words["dbname"] ?? words["user"] ?? "default database"
        description = "PostgreSQL \(database) at \(words["host"] ?? words["hostaddr"] ?? "the local socket")"
    }

    private static func words(of conninfo: String) -> [String: String]? {
        // libpq's error message is not requested, because it repeats the text and with it the password.
        guard let options = unsafe PQconninfoParse(conninfo, nil) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var words: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe words[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return words
    }
}

/// The settings of a session and the requirements for a server.
enum SessionSettings {
    /// The oldest supported version of the server.
    private static let oldestVersion = 140_000

    /// How long a statement waits for a lock.
    static let lockTimeout = "20s"

    /// The settings of statements. Every statement looks up rows by an index; the planner settings enforce that regardless
    /// of the table statistics. Each execution is planned, because a plan that was made while a table was empty can be a
    /// thousand times slower later.
    private static func settings(statementTimeout: Int) -> KeyValuePairs<String, String> {
        [
            "search_path": "healthsync", "client_min_messages": "warning", "lock_timeout": lockTimeout,
            "statement_timeout": "\(statementTimeout)s", "idle_in_transaction_session_timeout": "30s",
            "plan_cache_mode": "force_custom_plan", "enable_seqscan": "off", "enable_hashjoin": "off",
            "enable_mergejoin": "off", "jit": "off",
        ]
    }

    /// The settings of the network, which concern the server's side of a connection without a pooler.
    private static let keepalives: KeyValuePairs = [
        "tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3",
    ]

    /// `remote_apply` waits for more than `on`; all other values wait for less.
    private static let synchronousCommit = """
        CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END
        """

    /// Returns the statement that applies all settings, to the transaction or to the session.
    static func command(statementTimeout: Int, ofTransaction isLocal: Bool) -> PostgresCommand {
        var settings = settings(statementTimeout: statementTimeout).map { ($0.key, "'\($0.value)'") }
        if !isLocal { settings += keepalives.map { ($0.key, "'\($0.value)'") } }
        settings.append(("synchronous_commit", synchronousCommit))
        let calls = settings.map { "set_config('\($0.0)', \($0.1), \(isLocal))" }
        return PostgresCommand("SELECT " + calls.joined(separator: ", "))
    }

    /// Finds out whether a pooler is between this process and the server, applies the settings to the session if none is,
    /// and verifies the settings that durability depends on.
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
        try connection.detectPooler()
        if !connection.isPooled {
            try connection.run([command(statementTimeout: statementTimeout, ofTransaction: false)])
        }
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
