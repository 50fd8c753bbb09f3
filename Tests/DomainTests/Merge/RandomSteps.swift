import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Random samples of steps from several origins on four days, by default around a clock change in Paris.
struct RandomSteps {
    static let priority = OriginPriority(preferredNames: ["A", "B", "C", "D"])

    let clock: DayClock
    let range: DayRange
    var samples: [OriginSamples]

    /// Samples on whole minutes, from instantaneous to a day long.
    init(
        seed: UInt64, withFeed: Bool = false, areWhole: Bool = true, zones: [String?] = [nil],
        home: DayClock? = nil, firstDay: String = "2024-03-29"
    ) throws {
        var random = SeededRandom(seed: seed)
        clock = try home ?? ZoneClocks.clock("Europe/Paris")
        let first = try Self.day(firstDay)
        range = DayRange(first).widened(before: 0, after: 3)
        samples = []
        let begin = clock.start(of: first).milliseconds - 6 * 3_600_000
        for name in ["A", "B", "C", "D"].prefix(Int.random(in: 1...4, using: &random)) {
            let isFeed = withFeed && name == "D"
            var series = SampleSeries(SampleOrigin(sourceName: name, isPreAggregated: isFeed))
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let length = isFeed ? [1, 60, 1440] : [0, 1, 7, 10, 45, 200, 1500]
                series = series.adding(
                    areWhole ? Double(Int.random(in: 0...900, using: &random)) : .random(in: 0...90, using: &random),
                    at: Instant(milliseconds: begin + Int64.random(in: 0..<6_600, using: &random) * 60_000),
                    milliseconds: Int64(length.randomElement(using: &random) ?? 1) * 60_000,
                    zoneName: zones.randomElement(using: &random) ?? nil)
            }
            samples.append(series.samples)
        }
    }

    func merged(days: DayRange, unit: String = "count") -> DerivedDays { merge(days, unit: unit).days(of: samples) }

    func merge(_ days: DayRange, unit: String) -> CumulativeMerge {
        let rules = DerivationRules(clock: clock, originPriority: Self.priority) { try? ZoneClocks.clock($0) }
        return CumulativeMerge(metric: .steps, unit: unit, days: days, rules: rules)
    }

    static func day(_ text: String) throws -> CalendarDay {
        try #require(CalendarDay(text))
    }
}
