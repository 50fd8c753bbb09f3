import HealthSyncDomain
package import HealthSyncPorts

/// The requirements of `VerificationStore`.
package enum VerificationStoreContract {
    /// Creates an empty store, runs a test with it and removes it.
    package typealias Lender =
        @Sendable (@Sendable (any VerificationStore) async throws -> Void) async throws -> Void

    /// Provides an in-memory store.
    package static let inMemory: Lender = { use in
        try await use(InMemoryStores(time: ManualTime(Instant(milliseconds: 0))).verifications)
    }

    /// Returns the clauses, each with an empty store from `lender`.
    package static func clauses(_ lender: @escaping Lender) -> [ContractClause] {
        [
            ContractClause("The last verification of each server is stored until it is deleted") {
                try await lender { store in
                    var first = Verification(at: Instant(milliseconds: 5), verdict: .equal)
                    (first.records, first.samples) = (7, 8)
                    var second = Verification(at: Instant(milliseconds: 6), verdict: .unverifiable)
                    (second.differing, second.reason) = (3, "too old")
                    let other = Verification(at: Instant(milliseconds: 7), verdict: .unreachable)
                    try await expect(store, "a", nil)
                    try await store.setLastVerification(first, of: "a")
                    try await store.setLastVerification(other, of: "b")
                    try await expect(store, "a", first)
                    try await store.setLastVerification(second, of: "a")
                    try await expect(store, "a", second)
                    try await store.setLastVerification(nil, of: "a")
                    try await expect(store, "a", nil)
                    try await expect(store, "b", other)
                }
            }
        ]
    }

    private static func expect(
        _ store: any VerificationStore, _ destination: String, _ expected: Verification?
    ) async throws {
        try ContractViolation.unlessEqual(
            try await store.lastVerification(of: destination), expected, "of \(destination)")
    }
}
