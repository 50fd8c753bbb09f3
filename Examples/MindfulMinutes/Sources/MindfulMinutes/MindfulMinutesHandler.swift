import HealthSyncDomain
import HealthSyncPorts

extension HealthMetric {
    /// Minutes of mindful sessions; unit `min`.
    public static let mindfulMinutes = HealthMetric(rawValue: "mindfulMinutes")
}

extension SampleTypeDefinition {
    /// Mindful sessions. The sample's length is the session; its value has no meaning.
    public static let mindfulSession = SampleTypeDefinition(
        SampleType(rawValue: "HKCategoryTypeIdentifierMindfulSession"), .category, unit: "")
}

/// Derives the minutes of mindful sessions by hour and day. Sessions that overlap count once.
public struct MindfulMinutesHandler: HealthMetricSyncHandler {
    /// Creates the handler.
    public init() {}

    /// `mindfulMinutes`.
    public var metric: HealthMetric { .mindfulMinutes }

    /// Mindful sessions.
    public var reads: [SampleTypeDefinition] { [.mindfulSession] }

    /// A sum in minutes. The default would have no unit, because a category has none.
    public var results: [MetricDefinition] { [MetricDefinition(.mindfulMinutes, unit: "min", kind: .sum)] }

    /// The first version of the rule.
    public var version: Int { 1 }

    /// Returns the minutes of `days`.
    public func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        let minutes = window[SampleTypeDefinition.mindfulSession.type].map(Self.minutes)
        return CumulativeMerge(metric: metric, unit: "min", days: days, rules: rules).days(of: minutes)
    }
}

extension MindfulMinutesHandler {
    /// Returns the sessions of one origin with their length in minutes as value. A session that begins before an
    /// earlier one ends keeps only the time after that end.
    private static func minutes(of sessions: OriginSamples) -> OriginSamples {
        let columns = sessions.columns
        var minutes = SampleColumns()
        var covered = Int64.min
        for index in 0..<columns.count {
            let length = columns.durations[index]
            // The merge skips and counts such a session. It must not hide the sessions within it.
            let isTooLong = length > CumulativeMerge.longestSample
            let start = isTooLong ? columns.starts[index] : max(columns.starts[index], covered)
            let end = columns.starts[index] + length
            guard end > start else { continue }
            minutes.append(
                start: start, duration: end - start, value: Double(end - start) / 60_000,
                zoneName: columns.zoneName(index))
            if !isTooLong { covered = end }
        }
        return OriginSamples(origin: sessions.origin, columns: minutes)
    }
}
