package import HealthSyncDomain
package import HealthSyncPorts

extension ReceivedDataStore {
    /// Returns the digest of the samples of `type` that start in `interval` and are not deleted.
    package func digest(of type: String, in interval: InstantRange, user: UserName) async throws -> SampleSetDigest {
        try await digests(of: type, in: [interval], user: user).first ?? .zero
    }
}
