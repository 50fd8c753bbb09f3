package import HealthSyncPorts

/// A set of initially empty stores with one shared state, for the clauses of the store contracts.
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

    /// Creates an empty set, runs a test with it and removes it.
    package typealias Lender = @Sendable (@Sendable (StoresUnderTest) async throws -> Void) async throws -> Void

    /// Provides in-memory stores.
    package static let inMemory: Lender = { use in
        let stores = InMemoryStores(time: ManualTime())
        try await use(
            StoresUnderTest(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                intervals: stores.intervals))
    }
}

extension ContractClause {
    /// Returns a clause that checks an empty set of stores.
    static func on(
        _ lender: @escaping StoresUnderTest.Lender, _ name: String,
        check: @escaping @Sendable (StoresUnderTest) async throws -> Void
    ) -> ContractClause {
        ContractClause(name) { try await lender(check) }
    }
}
