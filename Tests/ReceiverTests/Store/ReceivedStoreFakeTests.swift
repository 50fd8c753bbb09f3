import HealthSyncTestKit
import Testing

@Suite struct ReceivedStoreFakeTests {
    @Test(arguments: ReceivedDataStoreContract.clauses { InMemoryReceivedDataStore() })
    func theStoreInMemoryKeepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(arguments: AccessTokenStoreContract.clauses { InMemoryAccessTokenStore() })
    func theTokensInMemoryKeepTheContract(_ clause: ContractClause) async throws { try await clause.check() }
}
