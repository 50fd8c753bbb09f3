import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Sums the values that start on a day, and records the days it derived.
final class ProbeHandler: HealthMetricSyncHandler {
    let metric: HealthMetric
    let reads: [SampleTypeDefinition]
    let version: Int
    /// Thrown instead of deriving the range that contains its day.
    private let failure: (any Error)?
    private let asked = Mutex<[DayRange]>([])

    init(
        _ metric: HealthMetric = .steps, reading type: SampleTypeDefinition = .stepCount, version: Int = 1,
        failing failure: (any Error)? = nil
    ) {
        self.metric = metric
        reads = [type]
        self.version = version
        self.failure = failure
    }

    /// Returns the ranges of days derived since the last call.
    func takeDerivedDays() -> [DayRange] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) throws -> DerivedDays {
        asked.withLock { $0.append(days) }
        if let failure { throw failure }
        return DerivedDays(
            progress: days.compactMap { progress(on: $0, of: window[reads[0].type], clock: rules.clock) })
    }

    private func progress(on day: CalendarDay, of samples: [OriginSamples], clock: DayClock) -> DailyProgress? {
        var hours: [Instant: Double] = [:]
        for bucket in clock.hours(of: day) {
            for columns in samples.map(\.columns) {
                for index in 0..<columns.count where bucket.contains(columns.interval(index).start) {
                    hours[bucket.start, default: 0] += columns.values[index]
                }
            }
        }
        guard !hours.isEmpty else { return nil }
        return DailyProgress(
            metric: metric, day: day, start: clock.start(of: day), unit: reads[0].unit,
            figures: ProgressFigures(quantity: hours.values.reduce(0, +)),
            hours: hours.sorted { $0.key < $1.key }.map {
                HourProgress(start: $0.key, figures: ProgressFigures(quantity: $0.value))
            },
            origins: samples.map { OriginProgress(sourceName: $0.origin.sourceName, quantity: 0) })
    }
}
