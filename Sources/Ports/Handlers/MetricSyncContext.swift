public import HealthSyncDomain

/// The days of a run, the rules by which they are derived, and a way to derive only those that changed.
public protocol MetricSyncContext: Sendable {
    /// The days that the run covers.
    var days: DayRange { get }
    /// The rules by which days are derived.
    var rules: DerivationRules { get }

    /// Calls `handler.derive` for every run of consecutive days whose samples, zone rules or handler version changed
    /// since they were last derived. Stores the results, the records to deliver and the tracking state of up to a year of
    /// days, which may be far apart, in one transaction.
    ///
    /// `derive` may be called from any thread, with days in ascending order. It may be called again for the same days
    /// in a later run.
    ///
    /// - Returns: `.synced` or `.nothingNew`.
    /// - Throws: what `derive` throws, the store's `SyncFailure`, and `CancellationError` between two runs of days.
    ///   What was committed before is kept.
    func deriveChangedDays(of handler: any HealthMetricSyncHandler) async throws -> SyncOutcome
}
