public import HealthSyncDomain

/// Derives one metric from samples. To add a metric, write one of these.
///
/// A handler is data and one pure function: which samples it reads, and how days are derived from them. The engine
/// finds the days that changed, and handles transactions, retries and delivery.
///
/// Contract (checked by `HandlerContract` in HealthSyncTestKit):
/// - The same samples and results of other metrics give the same result, regardless of the order of handlers and of how days are grouped.
/// - The result for a day depends only on the samples and results that the window contains for that day.
/// - Every figure belongs to one of `results`, in its unit.
/// - An implausible sample is skipped and counted in `DerivedDays.skipped`; it is not an error.
public protocol HealthMetricSyncHandler: Sendable {
    /// The metric: the name that `--metrics` takes and under which days are tracked.
    var metric: HealthMetric { get }
    /// The types whose samples the handler reads. They need not be built in. May be empty if there are `inputs`.
    var reads: [SampleTypeDefinition] { get }
    /// The metrics of other handlers whose results of the same days the handler reads; none by default. They are derived
    /// first, and a day is derived again when one of them changed. Selecting the metric selects these, too.
    ///
    /// Handlers that read each other's results are an error that names them.
    var inputs: [HealthMetric] { get }
    /// The metrics of the results, with titles and units. By default one: `metric`, in the unit and of the kind of the
    /// first type that the handler reads.
    var results: [MetricDefinition] { get }
    /// The settings of the handler, whose values `rules.settings` contains; none by default. A day is derived again when one of them
    /// changed.
    var settings: [HandlerSetting] { get }
    /// The version of the rule. Raise it when the same samples must give a different result: all days are then derived
    /// again.
    var version: Int { get }
    /// How far beyond its days the handler reads; `.days` by default.
    var reach: SampleReach { get }

    /// Returns the figures or sessions of `days`.
    ///
    /// Must be pure. Called from any thread.
    ///
    /// - Parameters:
    ///   - days: the days to derive. A day without samples and results has no figures.
    ///   - window: the samples within `reach` of these days, and possibly of days near them, each once, in the canonical
    ///     unit of their type, and the results of `inputs` for these days.
    ///   - rules: the clock by which days are derived, the order of origins, and the values of `settings`.
    /// - Throws: an error that ends this handler's run. It is reported, and handlers that read its results fail
    ///   with it; the others continue.
    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) throws -> DerivedDays

    /// Updates the days of `context`: those of a daily run. By default derives the changed days.
    func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome
    /// Updates the days of `context`: any days of the past. By default derives the changed days.
    ///
    /// An implementation rethrows errors of the context, including `CancellationError`.
    func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome
}

extension HealthMetricSyncHandler {
    /// The metric, in the unit and of the kind of the first type that the handler reads.
    public var results: [MetricDefinition] { reads.prefix(1).map { MetricDefinition(metric, of: $0) } }

    /// None.
    public var inputs: [HealthMetric] { [] }

    /// None.
    public var settings: [HandlerSetting] { [] }

    /// The samples that touch the days.
    public var reach: SampleReach { .days }

    /// Derives the changed days. Rethrows errors of `derive` and of the context.
    public func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(of: self)
    }

    /// Derives the changed days. Rethrows errors of `derive` and of the context.
    public func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await context.deriveChangedDays(of: self)
    }
}

/// How far beyond its days a handler reads samples.
public enum SampleReach: Sendable, Hashable {
    /// Every sample of at most 31 days (`CumulativeMerge.longestSample`) that touches one of the days. A handler must
    /// skip a longer one, because only some of the days that it touches may see it.
    case days
    /// Every sample that holds on one of the days: those that touch the day or start at most `minutes` before it. At
    /// most 25 hours of a sample's length count.
    case holding(minutes: Int)
    /// Every sample from noon of the day before to the end of the days, by every zone that a sample states, and of every
    /// chain of samples, of one or several recorders, with gaps of at most `gapMinutes` that reaches into that time, so that no
    /// night is cut.
    case nights(gapMinutes: Int)
}

/// The days of a run, the rules by which they are derived, and a way to derive only those that changed.
public protocol MetricSyncContext: Sendable {
    /// The days that the run covers.
    var days: DayRange { get }
    /// The rules by which days are derived.
    var rules: DerivationRules { get }

    /// Calls `handler.derive` for every run of consecutive days whose samples, results of other metrics, settings, zone rules or
    /// handler version changed since they were last derived. Stores the results, the records to deliver and the tracking state of up to a year of
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
