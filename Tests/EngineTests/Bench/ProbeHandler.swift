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
        let samples = window[reads[0].type]
        let values = samples.map(\.columns).flatMap { columns in
            (0..<columns.count).map { Value(start: columns.interval($0).start, quantity: columns.values[$0]) }
        }.sorted { $0.start < $1.start }
        return DerivedDays(
            progress: days.compactMap { progress(on: $0, of: values, from: samples, clock: rules.clock) })
    }

    private struct Value {
        let start: Instant
        let quantity: Double
    }

    /// Returns the index of the first of the sorted `values` that does not start before `instant`.
    private static func place(of instant: Instant, in values: [Value]) -> Int {
        var range = 0..<values.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = values[middle].start < instant ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func progress(
        on day: CalendarDay, of values: [Value], from samples: [OriginSamples], clock: DayClock
    ) -> DailyProgress? {
        var hours: [Instant: Double] = [:]
        for bucket in clock.hours(of: day) {
            for value in values[Self.place(of: bucket.start, in: values)...] {
                guard bucket.contains(value.start) else { break }
                hours[bucket.start, default: 0] += value.quantity
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
