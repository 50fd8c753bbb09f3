package import HealthSyncDomain

/// How a server is spoken to.
package struct HTTPOutboxSettings: Sendable {
    package var address: ServerAddress
    /// The bearer token; `nil` for a server that needs none.
    package var token: String?
    /// The user profile id, sent as `Healthsync-Profile`.
    package var profile: String
    /// Requests in flight at once; each has a thread and a connection.
    package var slots = 3
    package var connectTimeoutMilliseconds = 10_000
    package var totalTimeoutMilliseconds = 30_000
    /// A PEM file of authorities that are trusted instead of the system's.
    package var authorityFile: String?

    /// Settings with the documented limits.
    ///
    /// - Throws: `SyncFailure` with `.configuration` for a token or profile that cannot stand in a field.
    package init(address: ServerAddress, token: String?, profile: String) throws(SyncFailure) {
        for (value, subject) in [(token, "--token-file"), (profile, "profile")] {
            guard let value, value.isEmpty || value.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { continue }
            throw SyncFailure(
                .configuration, subject: subject, reason: "it is empty or holds spaces, line ends or non-ASCII text",
                advice: "give it as one word of visible ASCII characters")
        }
        self.address = address
        self.token = token
        self.profile = profile
    }
}
