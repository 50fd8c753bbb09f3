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

/// Translates a `PostgresError` into a failure for the user.
enum PostgresFailure {
    static func failure(_ error: PostgresError, at address: PostgresAddress) -> SyncFailure {
        switch error.kind {
        case .notConnected:
            failure(
                address, error.message,
                error.advice ?? "check that the server is running there and that the user and the database exist")
        case .connectionLost:
            failure(address, error.message, "check the server and the network; no change was stored partially")
        case .commitUnknown:
            failure(
                address, "the connection was lost during a commit, which may or may not have happened",
                "check the server and the network; it is safe to send the same request again")
        case .rejected: rejection(error, at: address)
        }
    }

    private static func rejection(_ error: PostgresError, at address: PostgresAddress) -> SyncFailure {
        let reason = "\(error.message) (SQLSTATE \(error.sqlState))"
        return switch error.sqlState {
        case "55P03", "40001", "40P01", "53300", "57014":
            SyncFailure(
                .busy, subject: address.description, reason: reason,
                advice: "try again; the database is in use by other processes")
        case "42501": failure(address, reason, "grant this user the right to create and write tables in this database")
        case "53100": failure(address, reason, "free some space on the server's disk")
        case _ where error.mayContainValues:
            failure(
                address, "a value cannot be stored (SQLSTATE \(error.sqlState))",
                "report this as a bug")
        default: failure(address, reason, error.advice ?? "report this as a bug")
        }
    }

    /// Returns the failure for content that this program would not have written.
    static func damaged(_ address: PostgresAddress, _ reason: String) -> SyncFailure {
        failure(address, reason, "restore the database from a backup")
    }

    static func failure(_ address: PostgresAddress, _ reason: String, _ advice: String) -> SyncFailure {
        SyncFailure(.storage, subject: address.description, reason: reason, advice: advice)
    }
}
