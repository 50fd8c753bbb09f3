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

    /// Enqueues the records of `days` that the encoder's destination was never offered, and every deletion; returns how
    /// many items are new.
    /// Years go one after the other, each in one transaction, so that memory is bounded and an interrupted run goes on.
    package func run(days: DayRange) async throws -> Int {
        let deletions = try await store.missingDeletions(destination: encoder.destination)
        var enqueued = deletions.isEmpty ? 0 : try await store.enqueue(deletions.map { encoder.tombstone($0) })
        for year in DayRange.runs(of: Array(days), atMost: 366) {
            try Task.checkCancellation()
            let missing = try await store.missingRecords(destination: encoder.destination, days: year)
            let items =
                missing.progress.map { encoder.item(for: $0) }
                + missing.sleep.map { encoder.item(for: $0) }
                + missing.snapshots.map { encoder.item(for: $0) }
            if !items.isEmpty { enqueued += try await store.enqueue(items) }
        }
        return enqueued
    }
}
