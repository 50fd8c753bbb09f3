package import HealthSyncDomain

/// The result of the last verification of each server.
///
/// Contract (`VerificationStoreContract`): each call is one durable transaction; failures of the store are
/// `SyncFailure` with `.storage`.
package protocol VerificationStore: Sendable {
    /// Returns the last verification of the server at `destination`; `nil` if none exists.
    func lastVerification(of destination: String) async throws -> Verification?
    /// Replaces the last verification; `nil` deletes it.
    func setLastVerification(_ verification: Verification?, of destination: String) async throws
}
