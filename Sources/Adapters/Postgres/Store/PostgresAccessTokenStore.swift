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
        let scopes = token.storedScopes
        try await sessions.perform { session in
            let added = try session.connection.run(
                """
                INSERT INTO tokens (token_id, secret_digest, user_name, scopes, created_ms, expires_ms, last_used_ms,
                    revoked_ms, parent_id)
                SELECT $1::text, $2::bytea, $3::text, $4::text, $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::text
                WHERE $9::text IS NULL
                    OR EXISTS (SELECT FROM tokens WHERE token_id = $9::text AND revoked_ms IS NULL FOR UPDATE)
                RETURNING token_id
                """, .text(token.id), .bytea(token.secretDigest), .text(token.user.text), .text(scopes),
                .instant(token.createdAt), .instant(token.expiresAt), .instant(token.lastUsedAt),
                .instant(token.revokedAt), .text(token.parentID)
            ).count
            guard added == 1 else {
                throw SyncFailure(
                    .storage, subject: "new token", reason: "the token that creates it was revoked",
                    advice: "log in with another token")
            }
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
                """
                WITH RECURSIVE descendants (id) AS (
                    SELECT token_id FROM tokens WHERE token_id = $1 AND revoked_ms IS NULL
                    UNION SELECT token_id FROM tokens JOIN descendants ON parent_id = id
                )
                UPDATE tokens SET revoked_ms = $2 WHERE token_id IN (SELECT id FROM descendants) AND revoked_ms IS NULL
                RETURNING token_id
                """, .text(id), .instant(instant)
            ).map { try $0.text() }.contains(id)
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
        "token_id, secret_digest, user_name, scopes, created_ms, expires_ms, last_used_ms, revoked_ms, parent_id"

    private static func token(_ row: inout PostgresRow) throws -> AccessToken? {
        let id = try row.text()
        let digest = try row.bytes()
        guard let user = UserName(try row.text()) else { return nil }
        let scopes = try row.text()
        var token = AccessToken(
            id: id, secretDigest: digest, user: user, scopes: Set(stored: scopes), createdAt: try row.instant(),
            expiresAt: try row.optional { try $0.instant() }, lastUsedAt: try row.optional { try $0.instant() },
            revokedAt: try row.optional { try $0.instant() })
        token.device = AccessToken.device(stored: scopes)
        token.name = AccessToken.name(stored: scopes)
        token.address = AccessToken.address(stored: scopes)
        token.parentID = try row.optional { try $0.text() }
        return token
    }
}
