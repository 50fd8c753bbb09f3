/// How one handler's work ended. Expected ends are values; surprises are thrown.
public enum SyncOutcome: Sendable, Hashable {
    /// Days were derived anew; `records` of them differ from what was stored.
    case synced(days: Int, records: Int)
    /// Nothing that the days were derived from has changed.
    case nothingNew
    /// Put off; the text says until when or why.
    case deferred(String)
    /// Failed; the other metrics went on.
    case gaveUp(SyncFailure)
}

/// The end of a run: one outcome for each metric.
public struct SyncReport: Sendable, Hashable {
    /// Outcome by metric.
    public var outcomes: [HealthMetric: SyncOutcome]
    /// Samples that made no sense for a metric and were left out of its days, by reason.
    public var refused: [HealthMetric: [String: Int]]
    /// Activity snapshots that differ from what was stored.
    public var snapshots: Int

    /// A report of these outcomes.
    public init(
        outcomes: [HealthMetric: SyncOutcome] = [:], refused: [HealthMetric: [String: Int]] = [:], snapshots: Int = 0
    ) {
        self.refused = refused
        self.outcomes = outcomes
        self.snapshots = snapshots
    }

    /// The metrics that failed, by name.
    public var failures: [(metric: HealthMetric, failure: SyncFailure)] {
        outcomes.compactMap { metric, outcome in
            if case .gaveUp(let failure) = outcome { (metric, failure) } else { nil }
        }
        .sorted { $0.0 < $1.0 }
    }
}
