extension HTTPOutboxSettings {
    /// The header fields of every request.
    var commonFields: [String] {
        ["User-Agent: healthsync"] + (profile.map { ["Healthsync-Profile: \($0)"] } ?? [])
            + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }

    /// The limits of every request.
    var limits: CurlLimits {
        CurlLimits(
            connectMilliseconds: connectTimeoutMilliseconds, totalMilliseconds: totalTimeoutMilliseconds,
            authorityFile: authorityFile)
    }
}
