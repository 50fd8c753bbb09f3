public import Foundation

/// A request for a run.
public struct SyncRequest: Sendable, Hashable {
    /// The two kinds of sync.
    public enum Scope: String, Sendable, Codable {
        /// Today and the previous days that may still change.
        case daily
        /// A range of past days.
        case historical
    }

    /// The kind of sync.
    public var scope: Scope
    /// The calendar days covered, in the user's zone.
    public var days: DayRange
    /// The id of the user profile; sent with every delivery.
    public var userProfileID: UUID?
    /// Whether to derive and send again even if nothing changed.
    public var force: Bool

    /// Creates a request for `days`.
    public init(scope: Scope, days: DayRange, userProfileID: UUID?, force: Bool = false) {
        self.scope = scope
        self.days = days
        self.userProfileID = userProfileID
        self.force = force
    }
}

/// The days that a run derives.
public enum RunScope: Sendable, Hashable {
    /// Every day whose samples, zone or rules changed; with a bound only today and `lookBackDays` days before it.
    case daily(lookBackDays: Int? = nil)
    /// From a first to a last day, both included; without a bound, as far as there are samples.
    case historical(from: CalendarDay? = nil, to: CalendarDay? = nil)
}

/// The result of one handler. Expected results are values; unexpected ones are thrown.
public enum SyncOutcome: Sendable, Hashable {
    /// Days were derived again; `records` of them differ from what was stored.
    case synced(days: Int, records: Int)
    /// The input of the days has not changed.
    case nothingNew
    /// Postponed; the text states the reason or until when.
    case deferred(String)
    /// Failed; metrics that read its results failed, too, and the others continued.
    case failed(SyncFailure)
}

/// The result of a run: one outcome for each metric.
public struct SyncReport: Sendable, Hashable {
    /// The outcome of each metric.
    public var outcomes: [HealthMetric: SyncOutcome]
    /// The number of implausible samples that each metric skipped, by reason.
    public var skipped: [HealthMetric: [String: Int]]
    /// The number of activity snapshots that changed.
    public var snapshots: Int

    /// Creates a report of these outcomes.
    public init(
        outcomes: [HealthMetric: SyncOutcome] = [:], skipped: [HealthMetric: [String: Int]] = [:], snapshots: Int = 0
    ) {
        self.skipped = skipped
        self.outcomes = outcomes
        self.snapshots = snapshots
    }

    /// The failures, ordered by metric name.
    public var failures: [(metric: HealthMetric, failure: SyncFailure)] {
        outcomes.compactMap { metric, outcome in
            if case .failed(let failure) = outcome { (metric, failure) } else { nil }
        }
        .sorted { $0.0 < $1.0 }
    }
}
