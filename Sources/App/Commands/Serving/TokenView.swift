import HealthSyncDomain

/// An access token without its secret.
enum TokenView {
    /// Returns the names of scopes, in order of declaration.
    static func names(_ scopes: Set<AccessScope>) -> [String] {
        AccessScope.allCases.filter(scopes.contains).map(\.rawValue)
    }

    /// Returns what a token permits, as text.
    static func permissions(of token: AccessToken) -> String {
        token.device.map { "phone \($0.text)" } ?? names(token.scopes).joined(separator: ",")
    }

    static func json(_ token: AccessToken, at now: Instant) -> JSONValue {
        [
            "id": token.id, "name": token.name?.text, "user": token.user.text,
            "device": token.device?.text, "scopes": names(token.scopes), "state": token.state(at: now).rawValue,
            "created": token.createdAt, "expires": token.expiresAt, "lastUsed": token.lastUsedAt,
            "revoked": token.revokedAt,
        ]
    }
}
