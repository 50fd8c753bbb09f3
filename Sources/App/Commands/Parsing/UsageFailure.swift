import HealthSyncDomain

extension SyncFailure {
    /// Returns an error in the command line.
    static func usage(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.usage, subject: subject, reason: reason, advice: advice)
    }

    /// The error of a command that needs a server if none is configured.
    static var noServer: SyncFailure {
        .usage(
            "--server", "no server is configured",
            advice: "name one with --server or as server.url in the configuration")
    }

    /// Returns an error in the configuration or an environment variable.
    static func configuration(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.configuration, subject: subject, reason: reason, advice: advice)
    }
}
