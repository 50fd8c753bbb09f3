package import HealthSyncDomain
package import HealthSyncPorts

/// Puts stored records into the outbox of a server that was never offered them, such as a new one.
package struct OutboxBackfill: Sendable {
    private let store: any OutboxStore
    private let encoder: any OutboxEncoder

    package init(store: any OutboxStore, encoder: any OutboxEncoder) {
        self.store = store
        self.encoder = encoder
    }

    /// Enqueues the records of `days` that the encoder's destination was never offered; returns how many items are new.
    /// Years go one after the other, each in one transaction, so that memory is bounded and an interrupted run goes on.
    package func run(days: DayRange) async throws -> Int {
        var enqueued = 0
        for year in DayRange.runs(of: Array(days), atMost: 366) {
            try Task.checkCancellation()
            let missing = try await store.missingRecords(destination: encoder.destination, days: year)
            let items =
                missing.progress.flatMap { encoder.items(for: $0, removed: []) }
                + missing.sleep.map { encoder.item(for: $0) }
                + missing.snapshots.map { encoder.item(for: $0) }
            if !items.isEmpty { enqueued += try await store.enqueue(items) }
        }
        return enqueued
    }
}
