package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory store of the last verification of each server.
package struct InMemoryVerificationStore: VerificationStore {
    let stores: InMemoryStores

    package func lastVerification(of destination: String) async throws -> Verification? {
        stores.state.withLock { $0.verifications[destination] }
    }

    package func setLastVerification(_ verification: Verification?, of destination: String) async throws {
        stores.state.withLock { $0.verifications[destination] = verification }
    }
}
