public import HealthSyncDomain

/// How far beyond its days a handler must see.
public enum SampleReach: Sendable, Hashable {
    /// Every sample of at most 31 days (`StepMerge.longestSample`) that touches one of the days; a longer one is to be
    /// left out, because it may be seen from some of its days only.
    case days
    /// Every sample that holds on one of the days: those that touch it or start at most `minutes` before it. Of a sample's
    /// length at most 25 hours count.
    case holding(minutes: Int)
    /// Every sample of the nights of the days (noon before to noon), and of any chain of samples with gaps of at most
    /// `gapMinutes` that reaches into them, so that no session is cut.
    case nights(gapMinutes: Int)
}

/// What a handler is given: the days, the rules of time, and a way to derive just what changed.
public protocol MetricSyncContext: Sendable {
    /// The days this run covers.
    var days: DayRange { get }
    /// Which instants make a day, an hour, a night.
    var clock: DayClock { get }
    /// The clock of a sample that states its own zone (`HKTimeZone`); the person's clock for `nil` and unknown names.
    func clock(forZone name: String?) -> DayClock
    /// Which origin counts where several measured the same time.
    var originPriority: OriginPriority { get }

    /// Calls `derive` for every stretch of days whose samples, zone rules or `version` changed since they were last
    /// derived, and stores the result, what is to be sent of it, and the tracking state in one transaction a stretch.
    ///
    /// `derive` may be called from any thread, with stretches in ascending order, and must be pure. It may be called
    /// again for the same days in a later run.
    ///
    /// - Parameters:
    ///   - metric: the handler's metric.
    ///   - version: raised by the handler's author when the same samples shall give another result.
    ///   - types: what to read.
    ///   - reach: how far beyond the days to read.
    /// - Returns: `.synced` or `.nothingNew`.
    /// - Throws: what `derive` throws, `SyncFailure` of the store, `CancellationError` between stretches. Stretches that
    ///   were committed stay.
    func deriveChangedDays(
        of metric: HealthMetric, version: Int, reading types: [SampleType], reach: SampleReach,
        _ derive: @escaping @Sendable (DayRange, SampleWindow) throws -> DerivedDays
    ) async throws -> SyncOutcome
}
