import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("Means over time")
struct HeldTimeTests {
    private func summary(
        _ series: [SampleSeries], from first: String, count: Int = 1, clock: DayClock = DayClock(home: .utc)
    ) throws -> [DailyProgress] {
        let days = DayRange(try RandomSteps.day(first)).widened(before: 0, after: count - 1)
        var summary = DiscreteSummary(
            metric: .heartRate, unit: "count/min", days: days,
            rules: DerivationRules(
                clock: clock, originPriority: OriginPriority(preferredNames: ["A", "B"]),
                zoneClock: { name in
                    UTCOffset.seconds(name).map { offset in
                        DayClock(home: ZoneRules(identifier: name, transitions: [], offsets: [offset]))
                    }
                }))
        summary.quantity = .timeWeightedMean(holdMinutes: 10)
        return summary.days(of: series.map(\.samples)).progress
    }

    @Test("A measurement holds until the next one, and at most for the limit")
    func holds() throws {
        let watch = SampleSeries("A").adding(60, at: "2024-01-15T08:00:00Z").adding(90, at: "2024-01-15T08:04:00Z")
        let day = try #require(try summary([watch], from: "2024-01-15").first)
        #expect(day.figures.quantity == Self.mean([(60, 4), (90, 10)]).asFigure)
        #expect(day.figures.heldMilliseconds == 840_000)
        #expect(day.figures.count == 2)
    }

    @Test("It holds across midnight, but creates no day and no hour")
    func midnight() throws {
        let watch = SampleSeries("A").adding(100, at: "2024-01-14T23:55:00Z").adding(60, at: "2024-01-15T02:00:00Z")
        let days = try summary([watch], from: "2024-01-14", count: 3)
        #expect(days.map(\.day.description) == ["2024-01-14", "2024-01-15"])
        let mean = Self.mean([(100, 5), (60, 10)]).asFigure
        #expect(
            days[1].figures
                == ProgressFigures(quantity: mean, minimum: 60, maximum: 60, count: 1, heldMilliseconds: 900_000))
        #expect(days[1].hours.map(\.figures.quantity) == [60])
        #expect(try summary([watch], from: "2024-01-15") == [days[1]])
    }

    @Test("A less preferred origin holds only while the preferred one does not")
    func origins() throws {
        let best = SampleSeries("A").adding(60, at: "2024-01-15T08:05:00Z")
        let other = SampleSeries("B").adding(100, at: "2024-01-15T08:00:00Z").adding(100, at: "2024-01-15T08:10:00Z")
        let day = try #require(try summary([other, best], from: "2024-01-15").first)
        #expect(day.figures.heldMilliseconds == 1_200_000)
        #expect(day.figures.quantity == 80)
        #expect(day.origins.map(\.quantity) == [60, 100])
    }

    @Test("A sample with a duration holds for it; a mean of a feed does not hold during measurements")
    func lengths() throws {
        let watch = SampleSeries("A").adding(60, at: "2024-01-15T08:30:00Z", minutes: 40)
        var feed = SampleSeries(SampleOrigin(sourceName: "Feed", isPreAggregated: true))
        for hour in ["08", "09", "10"] { feed = feed.adding(90, at: "2024-01-15T\(hour):00:00Z", minutes: 60) }
        let day = try #require(try summary([feed, watch], from: "2024-01-15").first)
        let held: [Int64?] = [1_800_000, 3_600_000, 3_600_000]
        #expect(day.hours.map(\.figures.heldMilliseconds) == held)
        #expect(day.hours.map(\.figures.quantity) == [60, Self.mean([(60, 10), (90, 50)]).asFigure, 90])
    }

    @Test("A sample holds for at most 25 hours", arguments: [(24.5, 24.5), (25, 25), (25.5, 25), (49, 25)])
    func longestSample(hours: Double, held: Double) throws {
        let watch = SampleSeries("A").adding(60, at: "2024-01-15T00:00:00Z", minutes: hours * 60)
            .adding(100, at: "2024-01-16T23:00:00Z")
        let days = try summary([watch], from: "2024-01-15", count: 2)
        #expect(days.map(\.figures.heldMilliseconds) == [86_400_000, Int64((held - 24) * 3_600_000) + 600_000])
        #expect(days.map(\.figures.quantity) == [60, Self.mean([(60, (held - 24) * 60), (100, 10)]).asFigure])
    }

    /// On 2023-11-05 clocks in New York went back: the day had 25 hours.
    @Test("The mean of a day does not hold on the next day", arguments: ["America/New_York", "UTC"])
    func daysOfAFeed(zone: String) throws {
        let feed = SampleSeries(SampleOrigin(sourceName: "Feed", isPreAggregated: true))
            .adding(80, at: "2023-11-05T04:00:00Z", minutes: 1_500, zoneName: "-04:00")
            .adding(100, at: "2023-11-06T05:00:00Z", minutes: 1_440, zoneName: "-05:00")
        let clock = DayClock(home: try ZoneRules(identifier: zone))
        let days = try summary([feed], from: "2023-11-04", count: 4, clock: clock)
        #expect(days.map(\.day.description) == ["2023-11-05", "2023-11-06"])
        #expect(days.map(\.figures.quantity) == [80, 100])
    }

    @Test("Figures of adjacent intervals can be combined")
    func merging() throws {
        let left = ProgressFigures(quantity: 60, minimum: 50, maximum: 70, count: 276, heldMilliseconds: 82_800_000)
        let right = ProgressFigures(quantity: 150, minimum: 140, maximum: 160, count: 720, heldMilliseconds: 3_600_000)
        #expect(
            left.merged(with: right)
                == ProgressFigures(
                    quantity: 63.75, minimum: 50, maximum: 160, count: 996, heldMilliseconds: 86_400_000))
        var unknown = right
        unknown.heldMilliseconds = nil
        #expect(left.merged(with: unknown).quantity == Self.mean([(60, 276), (150, 720)]))
    }

    private static func mean(_ weighted: [(value: Double, weight: Double)]) -> Double {
        weighted.reduce(0) { $0 + $1.value * $1.weight } / weighted.reduce(0) { $0 + $1.weight }
    }
}
