/// A token that somebody asks for: the one rule by which tokens are made, on the command line and in the browser.
package struct AccessTokenOrder: Sendable {
    /// Whose data it opens.
    package var user: UserName
    /// What it allows.
    package var scopes: Set<AccessScope>
    /// The last day, in UTC, on which it is good; `nil` for one that does not expire.
    package var lastDay: CalendarDay?

    /// A token of `user`.
    package init(user: UserName, scopes: Set<AccessScope>, lastDay: CalendarDay? = nil) {
        self.user = user
        self.scopes = scopes
        self.lastDay = lastDay
    }

    /// No token is good for longer: times on the wire lie in the years 1900 to 2200.
    package static let latestYear = 2200

    /// What a server keeps of the token, and its text, which is shown once.
    ///
    /// - Parameters:
    ///   - now: when it is made.
    ///   - dayName: how whoever asked named the last day.
    ///   - random: gives so many random bytes.
    ///   - digest: SHA-256.
    /// - Throws: `SyncFailure` with `.usage` for a last day that is over or too late.
    package func fill(
        at now: Instant, dayName: String, random: (Int) -> [UInt8], digest: ([UInt8]) -> [UInt8]
    ) throws(SyncFailure) -> (token: AccessToken, text: AccessTokenText) {
        let expiresAt = try expiry(after: now, dayName: dayName)
        guard let text = AccessTokenText(idBytes: random(8), secret: random(32)) else {
            throw SyncFailure(.unexpected, subject: "token", reason: "no random bytes", advice: "report this")
        }
        let token = AccessToken(
            id: text.id, secretDigest: digest(text.secret), user: user, scopes: scopes, createdAt: now,
            expiresAt: expiresAt)
        return (token, text)
    }

    private func expiry(after now: Instant, dayName: String) throws(SyncFailure) -> Instant? {
        guard let lastDay else { return nil }
        guard lastDay.components.year <= Self.latestYear else {
            throw SyncFailure(
                .usage, subject: dayName, reason: "\(lastDay) is after \(Self.latestYear)",
                advice: "give an earlier day, or none for a token that does not expire")
        }
        let expiry = lastDay.advanced(by: 1).utcStart
        guard now < expiry else {
            throw SyncFailure(
                .usage, subject: dayName, reason: "\(lastDay) is over", advice: "give a later day")
        }
        return expiry
    }
}
