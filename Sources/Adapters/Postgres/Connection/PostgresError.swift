import HealthSyncDomain

/// An error from the server or the connection.
struct PostgresError: Error {
    /// The effect of the error on the transaction.
    enum Kind {
        /// No connection could be made.
        case notConnected
        /// The connection was lost, and the transaction with it.
        case connectionLost
        /// The connection was lost during a COMMIT.
        case commitUnknown
        /// The server rejected a statement.
        case rejected
    }

    var kind: Kind
    /// The five characters of PostgreSQL's Appendix A; empty for an error of the connection.
    var sqlState: String
    /// The primary message, without the detail, which may contain values.
    var message: String
    /// A remedy, if more is known than the message states.
    var advice: String?

    /// Whether the same transaction may succeed if repeated: it was not committed, and the error is transient.
    var isTransient: Bool {
        switch kind {
        case .connectionLost: true
        case .rejected: sqlState == "40001" || sqlState == "40P01"
        case .notConnected, .commitUnknown: false
        }
    }

    /// Whether the message may contain a value.
    var mayContainValues: Bool { ["22", "23", "54"].contains { sqlState.hasBytePrefix($0) } }
}
