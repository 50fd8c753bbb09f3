import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Access tokens in a separate SQLite file: a command may add and revoke tokens while a server uses the data file,
/// which only one process may write. The token file uses a rollback journal, which allows several writing processes.
package actor SQLiteAccessTokenStore: AccessTokenStore {
    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.tokens")
    /// The executor whose thread uses the file.
    nonisolated package var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// The application id `HSTK` of the file.
    static let applicationID: Int64 = 0x4853_544B
    static let migrations: [Migration] = [
        Migration(
            number: 1,
            sql: """
                CREATE TABLE tokens (
                    token_id TEXT PRIMARY KEY,
                    secret_digest BLOB NOT NULL CHECK (length(secret_digest) = 32),
                    user TEXT NOT NULL,
                    scopes TEXT NOT NULL,
                    created_ms INTEGER NOT NULL,
                    expires_ms INTEGER,
                    last_used_ms INTEGER,
                    revoked_ms INTEGER
                ) STRICT, WITHOUT ROWID
                """),
        Migration(number: 2, sql: "ALTER TABLE tokens ADD COLUMN parent_id TEXT"),
    ]

    private let path: String
    private var connection: SQLiteConnection?
    private var file: FileIdentity?

    /// Opens the token store at `path`. The file is created for the first token.
    package init(path: String) { self.path = path }

    package func add(_ token: AccessToken) async throws {
        let scopes = token.storedScopes
        let connection = try opened()
        try connection.execute(
            """
            INSERT INTO tokens (token_id, secret_digest, user, scopes, created_ms, expires_ms, last_used_ms, revoked_ms,
                parent_id)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
            WHERE ?9 IS NULL OR EXISTS (SELECT 1 FROM tokens WHERE token_id = ?9 AND revoked_ms IS NULL)
            """, token.id, SQLiteValue.blob(token.secretDigest), token.user.text, scopes, token.createdAt,
            token.expiresAt, token.lastUsedAt, token.revokedAt, token.parentID)
        guard connection.changedRows == 1 else {
            throw SyncFailure(
                .storage, subject: "new token", reason: "the token that creates it was revoked",
                advice: "log in with another token")
        }
    }

    package func token(id: String) async throws -> AccessToken? {
        guard fileExists else { return nil }
        return try opened().first("SELECT \(Self.columns) FROM tokens WHERE token_id = ?1", id, read: Self.token) ?? nil
    }

    package func tokens() async throws -> [AccessToken] {
        guard fileExists else { return [] }
        return try opened().rows(
            "SELECT \(Self.columns) FROM tokens ORDER BY created_ms, token_id", read: Self.token
        ).compactMap(\.self)
    }

    package func revoke(id: String, at instant: Instant) async throws -> Bool {
        guard fileExists else { return false }
        return try opened().rows(
            """
            WITH RECURSIVE descendants (id) AS (
                SELECT token_id FROM tokens WHERE token_id = ?1 AND revoked_ms IS NULL
                UNION SELECT token_id FROM tokens JOIN descendants ON parent_id = id
            )
            UPDATE tokens SET revoked_ms = ?2 WHERE token_id IN (SELECT id FROM descendants) AND revoked_ms IS NULL
            RETURNING token_id
            """, id, instant, read: { try $0.text() }
        ).contains(id)
    }

    package func recordUse(id: String, at instant: Instant) async throws {
        guard fileExists else { return }
        try opened().execute(
            "UPDATE tokens SET last_used_ms = ?2 WHERE token_id = ?1 AND ifnull(last_used_ms, ?2 - 1) < ?2", id,
            instant)
    }

    /// Closes the file. Safe to repeat.
    package func close() throws {
        let open = connection
        connection = nil
        try open?.close()
    }

    private static let columns =
        "token_id, secret_digest, user, scopes, created_ms, expires_ms, last_used_ms, revoked_ms, parent_id"

    private static func token(_ row: SQLiteStatement) throws -> AccessToken? {
        let id = try row.text()
        let digest = try row.blob()
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

    /// Whether the file exists.
    private var fileExists: Bool { connection != nil || FileManager.default.fileExists(atPath: path) }

    private func opened() throws -> SQLiteConnection {
        // If the file was replaced, the new file decides which tokens are valid; if it was removed, the open file still
        // does.
        if let connection, [file, nil].contains(FileIdentity(of: path)) { return connection }
        try close()
        try DatabaseFile.prepare(path)
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let latest = Int64(Self.migrations.count)
        let version = try DatabaseFile.schemaVersion(over: connection, latest: latest, owner: Self.applicationID)
        try connection.execute("PRAGMA synchronous = EXTRA")
        try connection.execute("PRAGMA trusted_schema = 0")
        if version < latest {
            try Migration.migrate(connection, by: Self.migrations, owner: Self.applicationID)
        }
        self.connection = connection
        file = FileIdentity(of: path)
        return connection
    }
}
