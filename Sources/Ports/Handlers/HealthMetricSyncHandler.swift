public import HealthSyncDomain

/// Derives one metric from samples. Adding a metric is writing one of these.
///
/// A handler is a value without state: it says what it reads and how days follow from it. What changed since the last
/// run, transactions, retries and delivery are the context's.
///
/// Contract (`HandlerContract` in HealthSyncTestKit checks it):
/// - The same samples give the same result, in whatever order handlers run and however days are grouped.
/// - A result for a day depends only on the samples that the window holds for that day.
/// - A sample that makes no sense is left out, never a reason to throw. What is thrown ends this handler only.
/// - Cancellation is passed on, never swallowed.
public protocol HealthMetricSyncHandler: Sendable {
    /// The metric under which the handler's days are tracked and which `--metrics` names.
    var metric: HealthMetric { get }
    /// The types it reads. A plug-in may bring types that the built-in table does not know.
    var reads: [SampleTypeDefinition] { get }
    /// Brings the days of `context` (today and those that may still change) up to date.
    func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome
    /// Brings the days of `context` (any stretch of the past) up to date.
    func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome
}
