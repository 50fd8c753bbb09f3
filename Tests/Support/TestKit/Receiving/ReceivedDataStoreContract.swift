package import HealthSyncPorts

/// The promises of `ReceivedDataStore`.
package enum ReceivedDataStoreContract {
    /// The clauses; `make` gives a new, empty store each time it is called.
    package static func clauses(
        make: @escaping @Sendable () async throws -> any ReceivedDataStore
    ) -> [ContractClause] {
        let checks = ReceivedSampleChecks.all + ReceivedRecordChecks.all + ReceivedBatchChecks.all
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

/// A promise by its name and what puts it to the test.
typealias ReceivedStoreCheck = (name: String, check: @Sendable (any ReceivedDataStore) async throws -> Void)
