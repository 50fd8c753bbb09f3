import HealthSyncDomain

extension SyncFailure {
    /// A mistake on the command line.
    static func usage(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.usage, subject: subject, reason: reason, advice: advice)
    }

    /// A command that speaks to a server, where none is named.
    static var noServer: SyncFailure {
        .usage(
            "--server", "no server is configured",
            advice: "name one with --server, or server.url in the configuration")
    }

    /// A mistake in the configuration or an environment variable.
    static func configuration(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.configuration, subject: subject, reason: reason, advice: advice)
    }
}
