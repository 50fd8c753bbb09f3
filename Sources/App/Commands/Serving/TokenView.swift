import HealthSyncDomain

/// Tokens as they are shown: everything but the secret.
enum TokenView {
    /// In the order of their declaration.
    static func names(_ scopes: Set<AccessScope>) -> [String] {
        AccessScope.allCases.filter(scopes.contains).map(\.rawValue)
    }

    /// `good`, `expired` or `revoked`.
    static func state(_ token: AccessToken, at now: Instant) -> String {
        if token.revokedAt != nil { return "revoked" }
        return token.isGood(at: now) ? "good" : "expired"
    }

    static func json(_ token: AccessToken, at now: Instant) -> JSONValue {
        func time(_ instant: Instant?) -> JSONValue { .optional(instant.map { RFC3339.string($0) }) }
        return [
            "id": .string(token.id), "user": .string(token.user.text),
            "scopes": .array(names(token.scopes).map { .string($0) }), "state": .string(state(token, at: now)),
            "created": time(token.createdAt), "expires": time(token.expiresAt), "lastUsed": time(token.lastUsedAt),
            "revoked": time(token.revokedAt),
        ]
    }
}
