package import HealthSyncPorts

/// One set of stores over one state, empty at first, as the clauses of the store contracts are put to it.
package struct StoresUnderTest: Sendable {
    package var pages: any SamplePageStore
    package var tracking: any SyncTrackingStore
    package var repository: any HealthRepository
    package var outbox: any OutboxStore
    package var intervals: any SyncIntervalStore

    package init(
        pages: any SamplePageStore, tracking: any SyncTrackingStore, repository: any HealthRepository,
        outbox: any OutboxStore, intervals: any SyncIntervalStore
    ) {
        self.intervals = intervals
        self.pages = pages
        self.tracking = tracking
        self.repository = repository
        self.outbox = outbox
    }

    /// Makes an empty set and gives it away again when the test is done with it.
    package typealias Lender = @Sendable (@Sendable (StoresUnderTest) async throws -> Void) async throws -> Void

    /// Lends sets of stores in memory.
    package static let inMemory: Lender = { use in
        let stores = InMemoryStores(time: ManualTime())
        try await use(
            StoresUnderTest(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                intervals: stores.intervals))
    }
}

extension ContractClause {
    /// A clause that is put to an empty set of stores.
    static func on(
        _ lender: @escaping StoresUnderTest.Lender, _ name: String,
        check: @escaping @Sendable (StoresUnderTest) async throws -> Void
    ) -> ContractClause {
        ContractClause(name) { try await lender(check) }
    }
}
