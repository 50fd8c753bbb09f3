/// The totals of a run. Contains no health values.
public struct RunTotals: Sendable, Hashable {
    /// Totals of the import over all sources: `records` = `stored` + `alreadyKnown` + `rejected` + `notSelected`.
    public struct Reading: Sendable, Hashable {
        /// Files, or groups of files that form one snapshot.
        public var sources = 0
        /// Sources that were recognized and not read again.
        public var unchangedSources = 0
        /// Sample records that were read.
        public var records = 0
        /// Samples that are new in the local store.
        public var stored = 0
        /// Samples that were stored before, or occur twice.
        public var alreadyKnown = 0
        /// Records that cannot be used.
        public var rejected = 0
        /// Records of types that are not kept.
        public var notSelected = 0
        /// Samples that a newer snapshot no longer contains.
        public var deleted = 0

        /// Totals of zero.
        public init() {}
    }

    /// Totals of the delivery.
    public struct Delivery: Sendable, Hashable {
        /// Records that the server accepted, without raw samples.
        public var delivered = 0
        /// Items that the server rejected permanently.
        public var rejected = 0
        /// Items still queued when the run ended.
        public var left = 0
        /// Raw samples that the server acknowledged.
        public var samples = 0

        /// Totals of zero.
        public init() {}
    }

    /// Totals of a repair.
    public struct Repair: Sendable, Hashable {
        /// Samples that differed between the local store and the server.
        public var differing = 0
        /// Records and samples that were sent.
        public var sent = 0
        /// Records and samples that were deleted on the server.
        public var deleted = 0
        /// Samples that still differed at the end.
        public var left = 0

        /// Totals of zero.
        public init() {}
    }

    /// The import.
    public var reading = Reading()
    /// The outcome of every metric.
    public var metrics: [HealthMetric: SyncOutcome] = [:]
    /// Activity snapshots that changed.
    public var snapshots = 0
    /// `nil` if nothing was to be sent.
    public var delivery: Delivery?
    /// `nil` unless the run is a repair.
    public var repair: Repair?

    /// Totals of zero.
    public init() {}

    /// The number of changed records of all metrics, and of changed snapshots.
    public var changedRecords: Int {
        metrics.values.reduce(snapshots) { sum, outcome in
            if case .synced(_, let records) = outcome { sum + records } else { sum }
        }
    }
}
