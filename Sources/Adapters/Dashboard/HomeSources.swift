package import HealthSyncPorts

/// What the pages of the local database show and change beyond the records.
package struct HomeSources: Sendable {
    package var samples: any SamplePageStore
    package var intervals: any SyncIntervalStore
    package var outbox: any OutboxStore
    package var outboxActions: any OutboxActions
    /// The server, by its base address; `nil` where none is configured.
    package var destination: String?
    package var runs: any RunReader
    package var shoes: any ShoeReader
    package var shoeActions: any ShoeActions

    package init(
        samples: any SamplePageStore, intervals: any SyncIntervalStore, outbox: any OutboxStore,
        outboxActions: any OutboxActions, destination: String?,
        runs: any RunReader, shoes: any ShoeReader, shoeActions: any ShoeActions
    ) {
        self.samples = samples
        self.intervals = intervals
        self.outbox = outbox
        self.outboxActions = outboxActions
        self.destination = destination
        self.runs = runs
        self.shoes = shoes
        self.shoeActions = shoeActions
    }
}
