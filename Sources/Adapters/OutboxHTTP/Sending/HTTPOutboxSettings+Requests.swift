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
