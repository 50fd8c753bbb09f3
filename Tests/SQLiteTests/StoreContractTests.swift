import HealthSyncTestKit
import Testing

@Suite("Store contracts")
struct StoreContractTests {
    @Test("SamplePageStore, SQLite", arguments: SamplePageStoreContract.clauses(TemporaryDatabase.lender))
    func pages(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("SyncTrackingStore, SQLite", arguments: SyncTrackingStoreContract.clauses(TemporaryDatabase.lender))
    func tracking(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("HealthRepository, SQLite", arguments: HealthRepositoryContract.clauses(TemporaryDatabase.lender))
    func repository(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("OutboxStore, SQLite", arguments: OutboxStoreContract.clauses(TemporaryDatabase.lender))
    func outbox(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("SamplePageStore, in memory", arguments: SamplePageStoreContract.clauses(StoresUnderTest.inMemory))
    func pagesInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("SyncTrackingStore, in memory", arguments: SyncTrackingStoreContract.clauses(StoresUnderTest.inMemory))
    func trackingInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("HealthRepository, in memory", arguments: HealthRepositoryContract.clauses(StoresUnderTest.inMemory))
    func repositoryInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("OutboxStore, in memory", arguments: OutboxStoreContract.clauses(StoresUnderTest.inMemory))
    func outboxInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("SyncIntervalStore, SQLite", arguments: SyncIntervalStoreContract.clauses(TemporaryDatabase.lender))
    func intervals(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("SyncIntervalStore, in memory", arguments: SyncIntervalStoreContract.clauses(StoresUnderTest.inMemory))
    func intervalsInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("ShoeStore, SQLite", arguments: ShoeStoreContract.clauses(TemporaryDatabase.shoeLender))
    func shoes(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("RunStore, SQLite", arguments: RunStoreContract.clauses(TemporaryDatabase.runLender))
    func runs(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("RunStore, in memory", arguments: RunStoreContract.clauses(RunStoreContract.inMemory))
    func runsInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        "VerificationStore, SQLite",
        arguments: VerificationStoreContract.clauses(TemporaryDatabase.verificationLender))
    func verifications(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(
        "VerificationStore, in memory",
        arguments: VerificationStoreContract.clauses(VerificationStoreContract.inMemory))
    func verificationsInMemory(_ clause: ContractClause) async throws { try await clause.check() }

    @Test("ShoeStore, in memory", arguments: ShoeStoreContract.clauses(ShoeStoreContract.inMemory))
    func shoesInMemory(_ clause: ContractClause) async throws { try await clause.check() }
}
