package import HealthSyncDomain
package import HealthSyncPorts

/// Enqueues stored records for a destination that they were never enqueued for, such as a new one.
package struct OutboxBackfill: Sendable {
    private let store: any OutboxStore
    private let destination: HealthDestination

    package init(store: any OutboxStore, destination: HealthDestination) {
        self.store = store
        self.destination = destination
    }

    /// Enqueues the records of `days` and all deletions that were never enqueued for the destination; returns how many
    /// items are new. Each year is one transaction: memory is bounded, and the next run continues an interrupted one.
    package func run(days: DayRange) async throws -> Int {
        let deletions = try await store.missingDeletions(destination: destination.address)
        var enqueued = deletions.isEmpty ? 0 : try await store.enqueue(deletions.map { destination.tombstone($0) })
        for year in DayRange.runs(of: Array(days), atMost: 366) {
            try Task.checkCancellation()
            let missing = try await store.missingRecords(destination: destination.address, days: year)
            let items =
                missing.progress.map { destination.item(for: $0) }
                + missing.sleep.map { destination.item(for: $0) }
                + missing.snapshots.map { destination.item(for: $0) }
            if !items.isEmpty { enqueued += try await store.enqueue(items) }
        }
        return enqueued
    }
}
