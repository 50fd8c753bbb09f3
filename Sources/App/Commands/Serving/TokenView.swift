import HealthSyncDomain

/// An access token without its secret.
enum TokenView {
    /// Returns the names of scopes, in order of declaration.
    static func names(_ scopes: Set<AccessScope>) -> [String] {
        AccessScope.allCases.filter(scopes.contains).map(\.rawValue)
    }

    static func json(_ token: AccessToken, at now: Instant) -> JSONValue {
        func time(_ instant: Instant?) -> JSONValue { .optional(instant.map { RFC3339.string($0) }) }
        return [
            "id": .string(token.id), "user": .string(token.user.text),
            "scopes": .array(names(token.scopes).map { .string($0) }), "state": .string(token.state(at: now).rawValue),
            "created": time(token.createdAt), "expires": time(token.expiresAt), "lastUsed": time(token.lastUsedAt),
            "revoked": time(token.revokedAt),
        ]
    }
}
