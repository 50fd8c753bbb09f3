extension HTTPOutboxSettings {
    /// The fields that go with every request.
    var commonFields: [String] {
        ["User-Agent: healthsync", "Healthsync-Profile: \(profile)"]
            + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }

    /// The bounds of every request.
    var limits: CurlLimits {
        CurlLimits(
            connectMilliseconds: connectTimeoutMilliseconds, totalMilliseconds: totalTimeoutMilliseconds,
            authorityFile: authorityFile)
    }
}
