package import HealthSyncDomain

/// Where a receiving server keeps its access tokens.
///
/// Contract (`AccessTokenStoreContract`): changes are durable when a method returns, and seen by every process that uses
/// the same store. Failures are `SyncFailure` with `.storage`.
package protocol AccessTokenStore: Sendable {
    /// Adds `token`; one whose id is known is refused with `.storage`.
    func add(_ token: AccessToken) async throws
    /// The token with `id`, good or not.
    func token(id: String) async throws -> AccessToken?
    /// All tokens, oldest first.
    func tokens() async throws -> [AccessToken]
    /// Revokes the token with `id`; `false` when there is none or it was revoked before.
    func revoke(id: String, at instant: Instant) async throws -> Bool
    /// Notes when it was last used; an earlier instant than the one known changes nothing.
    func noteUse(id: String, at instant: Instant) async throws
}
