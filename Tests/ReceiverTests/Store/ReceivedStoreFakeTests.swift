import HealthSyncTestKit
import Testing

@Suite struct ReceivedStoreFakeTests {
    @Test(arguments: ReceivedDataStoreContract.clauses { InMemoryReceivedDataStore() })
    func theInMemoryStoreKeepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(arguments: AccessTokenStoreContract.clauses { InMemoryAccessTokenStore() })
    func theInMemoryTokensKeepTheContract(_ clause: ContractClause) async throws { try await clause.check() }
}
