public import HealthSyncDomain

/// Random samples for tests of handlers, according to the kinds of the types.
public struct HandlerSamples: Sendable {
    /// The samples by type and origin.
    public private(set) var samples: [SampleType: [OriginSamples]] = [:]

    /// Creates samples of `types` that start on `days`: three overlapping origins, one of them entered by hand. All types
    /// have samples at the same moments, so that handlers of several types find pairs.
    ///
    /// The same seed gives the same samples.
    public init(of types: [SampleTypeDefinition], on days: DayRange, clock: DayClock, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let origins = [
            SampleOrigin(sourceName: "Anna’s Apple Watch", device: "name:Apple Watch, software:10.1"),
            SampleOrigin(sourceName: "Anna’s iPhone", device: "name:iPhone, software:17.1"),
            SampleOrigin(sourceName: "Diary", isUserEntered: true),
        ]
        for origin in origins {
            let moments = days.flatMap { day in
                (0..<12).map { _ in
                    let interval = clock.interval(of: day)
                    let minutes = max(1, interval.milliseconds / 60_000)
                    return interval.start.advanced(bySeconds: .random(in: 0..<minutes, using: &random) * 60)
                }
            }
            for type in types {
                var series = SampleSeries(origin)
                for moment in moments {
                    let (value, minutes) = Self.measurement(of: type.kind, using: &random)
                    series = series.adding(value, at: moment, milliseconds: minutes * 60_000)
                }
                samples[type.type, default: []].append(series.samples)
            }
        }
    }

    /// Returns implausible samples of `types` on `day`: negative, huge, with unknown states, a month long.
    public static func implausible(
        of types: [SampleTypeDefinition], on day: CalendarDay, clock: DayClock
    ) -> [SampleType:
        [OriginSamples]]
    {
        let start = clock.start(of: day).advanced(bySeconds: 3600)
        var series = SampleSeries("Broken")
        for (index, value) in [-1, -1e300, 1e300, 0.5, 99, 0, .leastNonzeroMagnitude].enumerated() {
            let moment = start.advanced(bySeconds: Int64(index) * 60)
            series = series.adding(value, at: moment, milliseconds: 0)
            series = series.adding(value, at: moment, milliseconds: 30 * 86_400_000, zoneName: "Nowhere/Land")
        }
        return Dictionary(types.map { ($0.type, [series.samples]) }, uniquingKeysWith: { first, _ in first })
    }

    private static func measurement(
        of kind: SampleKind, using random: inout SeededRandom
    ) -> (value: Double, minutes: Int64) {
        switch kind {
        case .cumulative:
            (Double(Int.random(in: 0...400, using: &random)), [0, 1, 10, 90].randomElement(using: &random) ?? 1)
        case .discrete, .state: (Double(Int.random(in: 45...150, using: &random)), 0)
        case .category: (Double(Int.random(in: 0...5, using: &random)), .random(in: 1...120, using: &random))
        }
    }
}
