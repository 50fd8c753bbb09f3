/// A run as stored in the history.
package struct RecordedRun: Sendable, Hashable {
    /// Increases from run to run.
    package var id: Int64
    package var command: RunCommand
    package var startedAt: Instant
    /// The days covered, or the days requested while the run is active. `nil` if none exist or they are not known
    /// yet.
    package var days: DayRange?
    /// `nil` until the end is recorded.
    package var end: RunEnd?

    package init(id: Int64, command: RunCommand, startedAt: Instant, days: DayRange? = nil, end: RunEnd? = nil) {
        self.id = id
        self.command = command
        self.startedAt = startedAt
        self.days = days
        self.end = end
    }

    /// The duration in milliseconds; `nil` if the run has not ended or the time of its end is unknown.
    package var milliseconds: Int64? {
        end?.at.map { max(0, $0.milliseconds - startedAt.milliseconds) }
    }
}

/// A command that reads, derives or sends. An open struct, so that runs recorded by a later version remain readable.
package struct RunCommand: RawRepresentable, Hashable, Sendable {
    /// The words on the command line.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let daily = RunCommand(rawValue: "daily")
    package static let historical = RunCommand(rawValue: "historical")
    /// `historical` of all days, under the name that a user typed, or by a page.
    package static let imported = RunCommand(rawValue: "import")
    package static let push = RunCommand(rawValue: "push")
    package static let resume = RunCommand(rawValue: "resume")
    package static let repair = RunCommand(rawValue: "verify --repair")
}

/// The end of a run.
package struct RunEnd: Sendable, Hashable {
    /// The time of the end; `nil` for a run that was interrupted without recording its end.
    package var at: Instant?
    package var ending: RunEnding
    package var account: RunTotals
    /// Failures other than those of metrics.
    package var failures: [SyncFailure]

    package init(at: Instant?, ending: RunEnding, account: RunTotals = RunTotals(), failures: [SyncFailure] = []) {
        self.at = at
        self.ending = ending
        self.account = account
        self.failures = failures
    }

    /// The end of a run whose process ended without recording it.
    package static let cutOff = RunEnd(at: nil, ending: .cutOff)

    /// All failures: first those of the metrics by name, then the others.
    package var allFailures: [SyncFailure] { SyncReport(outcomes: account.metrics).failures.map(\.failure) + failures }
}

/// How a run ended.
package enum RunEnding: String, Sendable, CaseIterable {
    /// Everything requested was done.
    case completed
    /// The run finished, but a metric, a source or the delivery failed.
    case completedWithFailures
    /// Everything was done but the delivery, which the user paused: not a failure.
    case held
    /// A failure ended the run.
    case failed
    /// The user stopped the run.
    case cancelled
    /// The process ended without recording the end: it was killed, or the machine went down.
    case cutOff

    /// The ending as displayed.
    package var text: String {
        switch self {
        case .completed: "completed"
        case .completedWithFailures: "completed with failures"
        case .held: "held by your pause"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .cutOff: "cut off"
        }
    }
}

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
