package import HealthSyncPorts

/// The contract of `ReceivedDataStore`.
package enum ReceivedDataStoreContract {
    /// Returns the clauses; `make` returns a new, empty store on each call.
    package static func clauses(
        make: @escaping @Sendable () async throws -> any ReceivedDataStore
    ) -> [ContractClause] {
        let checks =
            ReceivedSampleChecks.all + ReceivedOriginChecks.all + ReceivedRecordChecks.all + ReceivedBatchChecks.all
        return checks.map { name, check in
            ContractClause(name) {
                let store = try await make()
                do {
                    try await check(store)
                } catch {
                    await store.close()
                    throw error
                }
                await store.close()
            }
        }
    }
}

/// A clause of the contract: its name and its check.
typealias ReceivedStoreCheck = (name: String, check: @Sendable (any ReceivedDataStore) async throws -> Void)
