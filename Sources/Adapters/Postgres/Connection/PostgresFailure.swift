import HealthSyncDomain

/// What a `PostgresError` means for a person.
enum PostgresFailure {
    static func failure(_ error: PostgresError, at address: PostgresAddress) -> SyncFailure {
        switch error.kind {
        case .notConnected:
            failure(
                address, error.message,
                error.advice ?? "check that the server runs there and that the user and the database exist")
        case .connectionLost:
            failure(address, error.message, "check the server and the network; nothing was half written")
        case .commitUnknown:
            failure(
                address, "the connection was lost during a commit, which may or may not have happened",
                "check the server and the network; the same request may be sent again")
        case .refused: refusal(error, at: address)
        }
    }

    private static func refusal(_ error: PostgresError, at address: PostgresAddress) -> SyncFailure {
        let told = "\(error.message) (SQLSTATE \(error.sqlState))"
        return switch error.sqlState {
        case "55P03", "40001", "40P01", "53300":
            SyncFailure(
                .busy, subject: address.description, reason: told, advice: "try again; others are at work on it")
        case "42501": failure(address, told, "let this user create and write tables in this database")
        case "53100": failure(address, told, "free some space on the server's disk")
        case _ where error.mayTellValues:
            failure(
                address, "a value cannot be stored (SQLSTATE \(error.sqlState))",
                "report this as a mistake of the program")
        default: failure(address, told, error.advice ?? "report this as a mistake of the program")
        }
    }

    /// Something in the database is not as this program writes it.
    static func damaged(_ address: PostgresAddress, _ reason: String) -> SyncFailure {
        failure(address, reason, "restore the database from a backup")
    }

    static func failure(_ address: PostgresAddress, _ reason: String, _ advice: String) -> SyncFailure {
        SyncFailure(.storage, subject: address.description, reason: reason, advice: advice)
    }
}
