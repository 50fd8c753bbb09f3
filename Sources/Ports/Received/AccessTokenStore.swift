package import HealthSyncDomain

/// The access tokens of a receiving server.
///
/// Contract (`AccessTokenStoreContract`): changes are durable when a method returns, and visible to every process that
/// uses the same store. Failures are `SyncFailure` with `.storage`.
package protocol AccessTokenStore: Sendable {
    /// Adds `token`. Throws `.storage` if its id exists, or if its parent does not exist or is revoked.
    func add(_ token: AccessToken) async throws
    /// Returns the token with `id`, valid or not.
    func token(id: String) async throws -> AccessToken?
    /// Returns all tokens, oldest first.
    func tokens() async throws -> [AccessToken]
    /// Revokes the token with `id` and all tokens that descend from it. Returns `false` if it does not exist or was revoked before.
    func revoke(id: String, at instant: Instant) async throws -> Bool
    /// Stores when the token was last used. An instant earlier than the stored one changes nothing.
    func recordUse(id: String, at instant: Instant) async throws
}
