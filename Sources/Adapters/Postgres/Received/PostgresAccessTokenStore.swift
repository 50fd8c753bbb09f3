package import HealthSyncDomain
import HealthSyncPorts

/// Access tokens in the database of the received data, shared by all processes that use it.
package struct PostgresAccessTokenStore: AccessTokenStore {
    private let sessions: PostgresPool

    /// Opens the database and creates or migrates its schema.
    ///
    /// - Throws: `SyncFailure` with `.storage`.
    package static func open(at address: PostgresAddress) async throws -> PostgresAccessTokenStore {
        let store = PostgresAccessTokenStore(
            sessions: PostgresPool(address: address, size: 1, label: "healthsync.postgres.tokens"))
        try await store.sessions.perform { try PostgresMigration.migrate($0.connection) }
        return store
    }

    package func add(_ token: AccessToken) async throws {
        let scopes = token.scopes.stored
        try await sessions.perform { session in
            _ = try session.connection.run(
                """
                INSERT INTO tokens (token_id, secret_digest, user_name, scopes, created_ms, expires_ms, last_used_ms,
                    revoked_ms)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """, .text(token.id), .bytea(token.secretDigest), .text(token.user.text), .text(scopes),
                .instant(token.createdAt), .instant(token.expiresAt), .instant(token.lastUsedAt),
                .instant(token.revokedAt))
        }
    }

    package func token(id: String) async throws -> AccessToken? {
        try await sessions.perform { session in
            try session.connection.run("SELECT \(Self.columns) FROM tokens WHERE token_id = $1", .text(id))
                .first(Self.token) ?? nil
        }
    }

    package func tokens() async throws -> [AccessToken] {
        try await sessions.perform { session in
            try session.connection.run("SELECT \(Self.columns) FROM tokens ORDER BY created_ms, token_id")
                .map(Self.token).compactMap(\.self)
        }
    }

    package func revoke(id: String, at instant: Instant) async throws -> Bool {
        try await sessions.perform { session in
            try session.connection.run(
                "UPDATE tokens SET revoked_ms = $2 WHERE token_id = $1 AND revoked_ms IS NULL RETURNING token_id",
                .text(id), .instant(instant)
            ).count == 1
        }
    }

    package func recordUse(id: String, at instant: Instant) async throws {
        try await sessions.perform { session in
            _ = try session.connection.run(
                """
                UPDATE tokens SET last_used_ms = $2
                WHERE token_id = $1 AND (last_used_ms IS NULL OR last_used_ms < $2)
                """, .text(id), .instant(instant))
        }
    }

    /// Ends the session. Safe to repeat.
    package func close() async { await sessions.close() }

    private static let columns =
        "token_id, secret_digest, user_name, scopes, created_ms, expires_ms, last_used_ms, revoked_ms"

    private static func token(_ row: inout PostgresRow) throws -> AccessToken? {
        let id = try row.text()
        let digest = try row.bytes()
        guard let user = UserName(try row.text()) else { return nil }
        let scopes = Set<AccessScope>(stored: try row.text())
        return AccessToken(
            id: id, secretDigest: digest, user: user, scopes: scopes, createdAt: try row.instant(),
            expiresAt: try row.optional { try $0.instant() }, lastUsedAt: try row.optional { try $0.instant() },
            revokedAt: try row.optional { try $0.instant() })
    }
}
