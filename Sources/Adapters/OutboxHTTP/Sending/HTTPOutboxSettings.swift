package import HealthSyncDomain

/// The settings of all requests to a server.
package struct HTTPOutboxSettings: Sendable {
    package var address: ServerAddress
    /// The bearer token; `nil` for a server without authentication.
    package var token: String?
    /// The user profile id, sent as `Healthsync-Profile`; `nil` for requests that send no records.
    package var profile: String?
    /// The number of requests in flight at once; each has a thread and a connection.
    package var slots = 3
    package var connectTimeoutMilliseconds = 10_000
    package var totalTimeoutMilliseconds = 30_000
    /// A PEM file of certificate authorities that are trusted instead of the system's; `nil` for the system's.
    package var authorityFile: String?
    /// What exchanges requests for responses instead of libcurl; `nil` for libcurl.
    var exchange: (any RequestExchange)?

    /// Settings with the default limits.
    ///
    /// - Throws: `SyncFailure` with `.configuration` for a token or profile that is not valid in a header field.
    package init(address: ServerAddress, token: String?, profile: String?) throws(SyncFailure) {
        for (value, subject) in [(token, "--token-file"), (profile, "profile")] {
            guard let value, value.isEmpty || value.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { continue }
            throw SyncFailure(
                .configuration, subject: subject, reason: "empty, or contains spaces, line ends or non-ASCII text",
                advice: "use one word of visible ASCII characters")
        }
        self.address = address
        self.token = token
        self.profile = profile
    }
}

extension HTTPOutboxSettings {
    /// The header fields of every request.
    var commonFields: [String] {
        ["User-Agent: healthsync"] + (profile.map { ["Healthsync-Profile: \($0)"] } ?? [])
            + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }

    /// Returns what exchanges up to `slots` requests at once.
    func makeExchange(slots: Int) -> any RequestExchange { exchange ?? CurlPool(slots: slots) }

    /// The limits of every request.
    var limits: CurlLimits {
        CurlLimits(
            connectMilliseconds: connectTimeoutMilliseconds, totalMilliseconds: totalTimeoutMilliseconds,
            stallSeconds: (totalTimeoutMilliseconds + 999) / 1_000, authorityFile: authorityFile)
    }
}
