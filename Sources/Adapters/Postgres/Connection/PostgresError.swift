/// What the server or the connection to it said.
struct PostgresError: Error {
    /// What it means for the transaction.
    enum Kind {
        /// There is no connection.
        case notConnected
        /// The connection is gone, and the transaction with it.
        case connectionLost
        /// The connection went while a COMMIT was under way.
        case commitUnknown
        /// The server refused a statement.
        case refused
    }

    var kind: Kind
    /// Five characters (PostgreSQL, Appendix A); empty where the server said nothing.
    var sqlState: String
    /// The primary message, without detail, which may hold values.
    var message: String
    /// What may help, where more is known than the message says.
    var advice: String?

    /// Whether the same transaction may succeed at once: it was not committed, and nothing is wrong with it.
    var mayBeRetried: Bool {
        switch kind {
        case .connectionLost: true
        case .refused: sqlState == "40001" || sqlState == "40P01"
        case .notConnected, .commitUnknown: false
        }
    }

    /// Whether the message may repeat a value.
    var mayTellValues: Bool { ["22", "23", "54"].contains { sqlState.hasPrefix($0) } }
}
