package import HealthSyncDomain

/// The result of the last verification of each server.
///
/// Contract (`VerificationStoreContract`): each call is one durable transaction; failures of the store are `SyncFailure`
/// with `.storage`.
package protocol VerificationStore: Sendable {
    /// The last verification of the server at `destination`; `nil` where none is remembered.
    func lastVerification(of destination: String) async throws -> Verification?
    /// Remembers `verification` in place of the last one; `nil` forgets it.
    func setLastVerification(_ verification: Verification?, of destination: String) async throws
}
