import HealthSyncDomain
package import HealthSyncPorts

/// The promises of `VerificationStore`.
package enum VerificationStoreContract {
    /// Makes an empty store and gives it away again when the test is done with it.
    package typealias Lender =
        @Sendable (@Sendable (any VerificationStore) async throws -> Void) async throws -> Void

    /// Lends a store in memory.
    package static let inMemory: Lender = { use in
        try await use(InMemoryStores(time: ManualTime(Instant(milliseconds: 0))).verifications)
    }

    /// The clauses, each put to an empty store that `lender` lends.
    package static func clauses(_ lender: @escaping Lender) -> [ContractClause] {
        [
            ContractClause("The last verification of each server is remembered, until it is forgotten") {
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
