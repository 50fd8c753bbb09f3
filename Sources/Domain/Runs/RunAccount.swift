/// What a run came to, in figures. Holds no health values.
package struct RunAccount: Sendable, Hashable {
    /// What became of the records of all its sources:
    /// `records` = `stored` + `alreadyKnown` + `refused` + `notSelected`.
    package struct Reading: Sendable, Hashable {
        /// Files, or groups of files that are one snapshot.
        package var sources = 0
        /// Those of `sources` that were recognised and not read.
        package var unchangedSources = 0
        package var records = 0
        package var stored = 0
        package var alreadyKnown = 0
        package var refused = 0
        package var notSelected = 0
        /// Samples that a newer snapshot no longer holds.
        package var deleted = 0

        package init() {}
    }

    /// What came of sending.
    package struct Delivery: Sendable, Hashable {
        /// Items that the server has taken.
        package var delivered = 0
        /// Items refused for good.
        package var refused = 0
        /// Items that waited when the run ended.
        package var left = 0
        /// Raw samples that the server answered for.
        package var samples = 0

        package init() {}
    }

    /// What came of a repair.
    package struct Repair: Sendable, Hashable {
        /// Samples in which home and server differed.
        package var differing = 0
        package var sent = 0
        package var deleted = 0
        /// Samples in which they still differed in the end.
        package var left = 0

        package init() {}
    }

    package var reading = Reading()
    package var metrics: [HealthMetric: SyncOutcome] = [:]
    /// Activity snapshots that changed.
    package var snapshots = 0
    /// `nil` when nothing was to be sent.
    package var delivery: Delivery?
    /// `nil` for every run that is none.
    package var repair: Repair?

    package init() {}

    /// Records that changed, of all metrics.
    package var changedRecords: Int {
        metrics.values.reduce(0) { sum, outcome in
            if case .synced(_, let records) = outcome { sum + records } else { sum }
        }
    }
}
