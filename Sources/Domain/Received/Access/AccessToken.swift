/// What a server keeps of an access token. The secret itself is shown once, when it is made, and stored nowhere.
package struct AccessToken: Hashable, Sendable {
    /// 16 hexadecimal digits by which the token is looked up; not secret.
    package var id: String
    /// SHA-256 of the secret, 32 bytes.
    package var secretDigest: [UInt8]
    /// Whose data it opens.
    package var user: UserName
    /// What it allows.
    package var scopes: Set<AccessScope>
    /// When it was made.
    package var createdAt: Instant
    /// From when on it is no longer good; `nil` for never.
    package var expiresAt: Instant?
    /// When it was last used, to the minute; `nil` for never.
    package var lastUsedAt: Instant?
    /// When it was revoked; `nil` while it is good.
    package var revokedAt: Instant?

    package init(
        id: String, secretDigest: [UInt8], user: UserName, scopes: Set<AccessScope>, createdAt: Instant,
        expiresAt: Instant? = nil, lastUsedAt: Instant? = nil, revokedAt: Instant? = nil
    ) {
        self.id = id
        self.secretDigest = secretDigest
        self.user = user
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
    }

    /// What a token is worth.
    package enum State: String, Sendable {
        case good
        case expired
        case revoked
    }

    /// What it is worth at `now`.
    package func state(at now: Instant) -> State {
        revokedAt != nil ? .revoked : isGood(at: now) ? .good : .expired
    }

    /// Whether it opens anything at `now`.
    package func isGood(at now: Instant) -> Bool {
        guard revokedAt == nil else { return false }
        guard let expiresAt else { return true }
        return now < expiresAt
    }
}
