import HealthSyncDomain
import HealthSyncPorts

/// Sums steps with one mistake of each kind.
struct FaultyHandler: HealthMetricSyncHandler {
    /// A mistake; its raw value is the name of the clause that must find it.
    enum Fault: String, CaseIterable {
        case name = "has a metric name in lower camel case and reads a type or another metric"
        case grouping = "derives the same result for any grouping of days"
        case scope = "derives the same result daily and historically"
        case nothing = "derives nothing without samples"
        case cancellation = "rethrows cancellation"
        case storage = "rethrows errors of the store"
        case implausible = "does not throw for implausible samples"
        case unsound = "derives consistent figures"
        case unrounded = "rounds figures with asFigure"
        case again = "derives unchanged days only once"
        case unit = "derives only the metrics that it declares, in their units"
    }

    let fault: Fault
    private var scale = 1.0

    init(fault: Fault) { self.fault = fault }

    var metric: HealthMetric { HealthMetric(rawValue: fault == .name ? "Steps of day" : "steps") }
    var reads: [SampleTypeDefinition] { [.stepCount] }

    var version: Int { 1 }

    func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(context, scale: fault == .scope ? 2 : 1)
    }

    func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(context, scale: 1)
    }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) throws -> DerivedDays {
        let samples = window[SampleTypeDefinition.stepCount.type]
        if fault == .implausible, samples.contains(where: { $0.columns.values.contains { $0 < 0 } }) {
            throw SyncFailure(.unexpected, subject: "", reason: "negative", advice: "")
        }
        let progress = days.compactMap { day -> DailyProgress? in
            let touched = fault == .grouping ? rules.clock.interval(of: days) : rules.clock.interval(of: day)
            let sum = Self.sum(of: samples, in: touched)
            return DailyProgress(
                metric: .steps, day: day, start: rules.clock.start(of: day), unit: fault == .unit ? "steps" : "count",
                figures: ProgressFigures(
                    quantity: fault == .unsound ? .infinity : sum * scale / (fault == .unrounded ? 3 : 1)))
        }
        return DerivedDays(progress: progress)
    }

    private func sync(_ context: any MetricSyncContext, scale: Double) async throws -> SyncOutcome {
        var handler = self
        handler.scale = scale
        do {
            let outcome = try await context.deriveChangedDays(of: handler)
            return fault == .again && outcome == .nothingNew ? .synced(days: 0, records: 0) : outcome
        } catch is CancellationError where fault == .cancellation {
            return .nothingNew
        } catch let failure as SyncFailure where fault == .storage {
            return .failed(failure)
        }
    }

    private static func sum(of samples: [OriginSamples], in interval: InstantRange) -> Double {
        samples.map(\.columns).reduce(0) { sum, columns in
            sum
                + (0..<columns.count).filter { interval.contains(columns.interval($0).start) }
                .reduce(0) { $0 + columns.values[$1] }
        }
    }
}
