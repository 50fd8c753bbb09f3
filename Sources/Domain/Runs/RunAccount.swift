/// The totals of a run. Contains no health values.
package struct RunAccount: Sendable, Hashable {
    /// Totals of the import over all sources: `records` = `stored` + `alreadyKnown` + `refused` + `notSelected`.
    package struct Reading: Sendable, Hashable {
        /// Files, or groups of files that form one snapshot.
        package var sources = 0
        /// Sources that were recognized and not read again.
        package var unchangedSources = 0
        package var records = 0
        package var stored = 0
        package var alreadyKnown = 0
        package var refused = 0
        package var notSelected = 0
        /// Samples that a newer snapshot no longer contains.
        package var deleted = 0

        package init() {}
    }

    /// Totals of the delivery.
    package struct Delivery: Sendable, Hashable {
        /// Items that the server accepted.
        package var delivered = 0
        /// Items that the server rejected permanently.
        package var refused = 0
        /// Items still queued when the run ended.
        package var left = 0
        /// Raw samples that the server acknowledged.
        package var samples = 0

        package init() {}
    }

    /// Totals of a repair.
    package struct Repair: Sendable, Hashable {
        /// Samples that differed between the local store and the server.
        package var differing = 0
        package var sent = 0
        package var deleted = 0
        /// Samples that still differed at the end.
        package var left = 0

        package init() {}
    }

    package var reading = Reading()
    package var metrics: [HealthMetric: SyncOutcome] = [:]
    /// Activity snapshots that changed.
    package var snapshots = 0
    /// `nil` if nothing was to be sent.
    package var delivery: Delivery?
    /// `nil` unless the run is a repair.
    package var repair: Repair?

    package init() {}

    /// The number of changed records of all metrics.
    package var changedRecords: Int {
        metrics.values.reduce(0) { sum, outcome in
            if case .synced(_, let records) = outcome { sum + records } else { sum }
        }
    }
}
