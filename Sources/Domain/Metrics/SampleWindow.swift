/// The input of a handler for the days to derive: all samples of its types that overlap those days, each once, and the results
/// of other handlers that it reads.
public struct SampleWindow: Sendable {
    private let samples: [SampleType: [OriginSamples]]
    private let figures: [ResultKey: DailyProgress]
    private let sleep: [CalendarDay: [SleepSession]]

    private struct ResultKey: Hashable {
        let metric: HealthMetric
        let day: CalendarDay
    }

    /// Creates a window with these samples and results.
    public init(_ samples: [SampleType: [OriginSamples]], results: DerivedDays = DerivedDays()) {
        self.samples = samples
        figures = Dictionary(
            results.progress.map { (ResultKey(metric: $0.metric, day: $0.day), $0) },
            uniquingKeysWith: { first, _ in first })
        sleep = Dictionary(grouping: results.sleepSessions, by: \.day).mapValues { sessions in
            sessions.sorted {
                ($0.interval.start, $0.origin.orderingText) < ($1.interval.start, $1.origin.orderingText)
            }
        }
    }

    /// Returns the samples of `type` by origin, in an order that depends only on the origins. Empty if there are
    /// none.
    public subscript(_ type: SampleType) -> [OriginSamples] { samples[type] ?? [] }

    /// Returns the figures of one of the handler's `inputs` on a day, as they are stored; `nil` if it has none, for a day that is not
    /// derived now, and for a metric that is not an input.
    public func figures(of metric: HealthMetric, on day: CalendarDay) -> DailyProgress? {
        figures[ResultKey(metric: metric, day: day)]
    }

    /// Returns the sleep sessions of a day, ordered by start; none unless `sleep` is among the handler's `inputs`.
    public func sleepSessions(on day: CalendarDay) -> [SleepSession] { sleep[day] ?? [] }

    /// Returns the window with these results.
    package func with(_ results: DerivedDays) -> SampleWindow { SampleWindow(samples, results: results) }
}
