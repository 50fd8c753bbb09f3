import HealthSyncPostgres
import HealthSyncTestKit
import Testing

@Suite(.enabled(if: TestServer.isInstalled, "no PostgreSQL server is installed"))
struct PostgresContractTests {
    @Test(
        arguments: ReceivedDataStoreContract.clauses {
            let server = try await TestServer.shared.value
            return try await PostgresReceivedDataStore.open(at: server.address(server.newDatabase()))
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        arguments: AccessTokenStoreContract.clauses {
            let server = try await TestServer.shared.value
            return try await PostgresAccessTokenStore.open(at: server.address(server.newDatabase()))
        })
    func tokensKeepTheContract(_ clause: ContractClause) async throws { try await clause.check() }
}
