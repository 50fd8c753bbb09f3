import HealthSyncDomain

extension SyncFailure {
    /// A mistake on the command line.
    static func usage(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.usage, subject: subject, reason: reason, advice: advice)
    }

    /// A mistake in the configuration or an environment variable.
    static func configuration(_ subject: String, _ reason: String, advice: String) -> SyncFailure {
        SyncFailure(.configuration, subject: subject, reason: reason, advice: advice)
    }
}
