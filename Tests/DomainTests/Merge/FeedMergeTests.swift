import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct FeedMergeTests {
    private func merged(_ series: [SampleSeries], unit: String = "count") throws -> [DailyProgress] {
        let days = DayRange(try RandomSteps.day("2024-01-15")).widened(before: 0, after: 1)
        let merge = CumulativeMerge(
            metric: .steps, unit: unit, days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
        return merge.days(of: series.map(\.samples)).progress
    }

    private func feed(_ name: String = "Feed") -> SampleSeries {
        SampleSeries(SampleOrigin(sourceName: name, isPreAggregated: true))
    }

    @Test(arguments: [(300.0, 500.0), (500, 500), (900, 900)])
    func theLargerFigureOfABucketPrevails(figure: Double, expected: Double) throws {
        let watch = SampleSeries("Watch").adding(500, at: "2024-01-15T08:10:00Z", minutes: 20)
        let day = try #require(
            try merged([watch, feed().adding(figure, at: "2024-01-15T08:00:00Z", minutes: 60)]).first)
        #expect(day.figures.quantity == expected)
        #expect(day.origins.map(\.quantity) == [figure, 500])
    }

    @Test func theExcessOfABucketGoesToUnmeasuredTime() throws {
        let watch = SampleSeries("Watch").adding(500, at: "2024-01-15T08:00:00Z", minutes: 60)
        let whole = feed().adding(1_500, at: "2024-01-15T07:00:00Z", minutes: 180)
        #expect(try merged([watch, whole]).first?.hours.map(\.figures.quantity) == [500, 500, 500])
    }

    @Test func coarserBucketsAddOnlyWhatFinerOnesLack() throws {
        let minutes = feed().adding(40, at: "2024-01-15T08:00:00Z", minutes: 1)
            .adding(60, at: "2024-01-15T08:01:00Z", minutes: 1)
        let hour = minutes.adding(90, at: "2024-01-15T08:00:00Z", minutes: 60)
        #expect(try merged([hour]).first?.figures.quantity == 100)
        let day = minutes.adding(300, at: "2024-01-15T00:00:00Z", minutes: 1440)
        #expect(try merged([day]).first?.figures.quantity == 300)
        #expect(try merged([day, hour]).first?.figures.quantity == 300)
    }

    @Test func twoFeedsOfTheSameDataCountOnce() throws {
        let one = feed("One").adding(70, at: "2024-01-15T08:00:00Z", minutes: 60)
        let other = feed("Other").adding(80, at: "2024-01-15T08:00:00Z", minutes: 60)
        #expect(try merged([one, other]).map(\.figures.quantity) == [80])
    }

    @Test(arguments: Seeds.range(80))
    func theResultIsBetweenTheMaximumAndTheSum(seed: UInt64) throws {
        let input = try RandomSteps(seed: seed, withFeed: true, areWhole: false)
        var raw = input
        raw.samples.removeAll { $0.origin.isPreAggregated }
        var feed = input
        feed.samples.removeAll { !$0.origin.isPreAggregated }
        let quantities = { (input: RandomSteps) in
            let progress = input.merged(days: input.range, unit: "km").progress
            return input.range.map { day in progress.first { $0.day == day }?.figures.quantity ?? 0 }
        }
        for ((merged, raw), feed) in zip(zip(quantities(input), quantities(raw)), quantities(feed)) {
            #expect(merged >= raw - 1e-6)
            #expect(merged <= raw + feed + 1e-6)
        }
        for (index, day) in input.range.enumerated() {
            let bounds = input.clock.interval(of: day)
            for origin in feed.samples {
                for bucket in 0..<origin.columns.count {
                    let part = origin.columns.interval(bucket).intersection(bounds)?.milliseconds ?? 0
                    let length = Double(max(1, origin.columns.durations[bucket]))
                    let figure = origin.columns.values[bucket] * Double(part) / length
                    #expect(quantities(input)[index] >= figure - 1e-6)
                }
            }
        }
    }
}
