import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@testable import HealthSyncDomain

struct DiscreteSummaryTests {
    private let clock = DayClock(home: .utc)

    private func summary(
        _ series: [SampleSeries], days: String = "2024-01-15", count: Int = 1,
        _ configure: (inout DiscreteSummary) -> Void = { _ in }
    ) throws -> DerivedDays {
        let range = DayRange(try RandomSteps.day(days)).widened(before: 0, after: count - 1)
        var summary = DiscreteSummary(
            metric: .heartRate, unit: "count/min", days: range, rules: DerivationRules(clock: clock))
        configure(&summary)
        return summary.days(of: series.map(\.samples))
    }

    @Test func summarizesHoursAndTheDay() throws {
        let watch = SampleSeries("Watch")
            .adding(60, at: "2024-01-15T08:00:00Z").adding(80, at: "2024-01-15T08:59:59Z")
            .adding(80, at: "2024-01-15T08:59:59Z").adding(100, at: "2024-01-15T09:00:00Z")
        let day = try #require(try summary([watch]).progress.first)
        #expect(day.figures == ProgressFigures(quantity: 80, minimum: 60, maximum: 100, count: 3))
        #expect(
            day.hours.map(\.figures) == [
                ProgressFigures(quantity: 70, minimum: 60, maximum: 80, count: 2),
                ProgressFigures(quantity: 100, minimum: 100, maximum: 100, count: 1),
            ])
        #expect(day.origins == [OriginProgress(sourceName: "Watch", quantity: 80)])
    }

    @Test func aDayMayHaveTensOfThousandsOfSources() throws {
        let series = (0..<60_000).map { number in
            SampleSeries("Source \(number)").adding(50 + Double(number) / 1_000, at: "2024-01-15T08:00:00Z")
        }
        let day = try #require(try summary(series).progress.first)
        #expect(day.figures.count == 60_000)
        #expect(abs(day.figures.quantity - 79.9995) < 1e-6)
        #expect(day.origins.count == 60_000)
    }

    /// After a source was renamed, an export contains its measurements under both names.
    @Test(arguments: [(1, 4), (0, 6)]) func aCopyOfAnotherOriginCountsOnce(free: Int, counted: Int) throws {
        let times = ["08:00:00", "08:05:00", "09:00:00"]
        func series(_ name: String, _ rates: [Double]) -> SampleSeries {
            zip(times, rates).reduce(SampleSeries(name)) { $0.adding($1.1, at: "2024-01-15T\($1.0)Z") }
        }
        // Copies are sought among 16 origins.
        let others = (0..<16 - free).map {
            SampleSeries("A\($0) Watch").adding(70, at: "2024-01-15T1\($0 % 10):30:0\($0 / 10)Z")
        }
        let day = try #require(
            try summary(others + [series("Watch", [60, 80, 100]), series("Watch of Anna", [60, 81, 100])])
                .progress.first)
        #expect(day.figures.count == others.count + counted)
        let last = try #require(day.origins.last)
        #expect(last.sourceName == "Watch of Anna" && abs(last.quantity - 241.0 / 3) < 1e-9)
    }

    @Test func anAggregateWeighsAsManyMeasurementsAsItContains() throws {
        let detail = SampleDetail(minimum: 50, maximum: 130, measurementCount: 3)
        let watch = SampleSeries("Watch").adding(80, at: "2024-01-15T08:00:00Z", detail: detail)
            .adding(120, at: "2024-01-15T08:30:00Z")
        let day = try #require(try summary([watch]).progress.first)
        #expect(day.figures == ProgressFigures(quantity: 90, minimum: 50, maximum: 130, count: 4))
    }

    @Test func implausibleHeartRatesAreRejectedAndCounted() throws {
        let watch = SampleSeries("Watch").adding(19.9, at: "2024-01-15T08:00:00Z")
            .adding(301, at: "2024-01-15T08:01:00Z").adding(20, at: "2024-01-15T08:02:00Z")
            .adding(300, at: "2024-01-15T08:03:00Z").adding(500, at: "2024-01-16T08:03:00Z")
        let derived = try summary([watch]) { $0.validRange = 20...300 }
        #expect(derived.progress.first?.figures.count == 2)
        #expect(derived.skipped == ["value out of range": 2])
    }

    @Test func aFeedCountsOnlyWithoutOtherMeasurements() throws {
        let watch = SampleSeries("Watch").adding(60, at: "2024-01-15T08:10:00Z")
        var feed = SampleSeries(SampleOrigin(sourceName: "Feed", isPreAggregated: true))
        for hour in ["08", "09"] { feed = feed.adding(90, at: "2024-01-15T\(hour):00:00Z", minutes: 60) }
        let day = try #require(try summary([feed, watch]).progress.first)
        #expect(day.hours.map(\.figures.quantity) == [60, 90])
    }

    @Test func theLastValueOfADayIsTheLatestOfTheBestOrigin() throws {
        let scale = SampleSeries("Scale").adding(80, at: "2024-01-15T07:00:00Z").adding(79, at: "2024-01-15T21:00:00Z")
        let typed = SampleSeries(SampleOrigin(sourceName: "Anna", isUserEntered: true))
            .adding(70, at: "2024-01-15T21:00:00Z")
        let day = try #require(try summary([typed, scale]) { $0.quantity = .last }.progress.first)
        #expect(day.figures == ProgressFigures(quantity: 70, minimum: 70, maximum: 80, count: 3))
    }

    @Test func onlyTheBestOriginOfADayCounts() throws {
        let watch = SampleSeries("Watch").adding(50, at: "2024-01-15T07:00:00Z")
        let other = SampleSeries("Other").adding(70, at: "2024-01-15T07:00:00Z").adding(72, at: "2024-01-16T07:00:00Z")
        let derived = try summary([other, watch], count: 2) {
            $0.choice = .bestOrigin
            $0.isHourly = false
        }
        #expect(derived.progress.map(\.figures.quantity) == [50, 72])
        #expect(derived.progress.flatMap(\.hours).isEmpty)
    }

    @Test(arguments: Seeds.range(100))
    func equalsPlainArithmetic(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let start = try #require(RFC3339.instant("2024-01-14T12:00:00Z"))
        var all: [[Double]] = []
        let series = ["Watch", "Phone"].map { name in
            var series = SampleSeries(name)
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let second = Int64.random(in: 0..<260_000, using: &random)
                let value = Double(Int.random(in: 10...310, using: &random))
                series = series.adding(value, at: start.advanced(bySeconds: second), milliseconds: 0)
                all.append([name == "Watch" ? 0 : 1, Double(second), value])
            }
            return series
        }
        let derived = try summary(series, count: 2) { $0.validRange = 20...300 }
        let plausible = Set(all).filter { (20...300).contains($0[2]) && (43_200..<216_000).contains($0[1]) }
        let byDay = Dictionary(grouping: plausible) { Int(($0[1] - 43_200) / 86_400) }
        #expect(derived.progress.count == byDay.count)
        for (progress, day) in zip(derived.progress, byDay.keys.sorted()) {
            let values = (byDay[day] ?? []).map { $0[2] }
            #expect(abs(progress.figures.quantity - values.reduce(0, +) / Double(values.count)) < 1e-9)
            #expect(progress.figures.minimum == values.min())
            #expect(progress.figures.maximum == values.max())
            #expect(progress.figures.count == values.count)
            let hours = Set((byDay[day] ?? []).map { Int(($0[1] - 43_200) / 3600) })
            #expect(progress.hours.count == hours.count)
        }
    }

    @Test func impossibleNumbersOfMeasurementsAreLeftOutAndCounted() throws {
        let absurd = SampleDetail(measurementCount: .max)
        let watch = SampleSeries("Watch").adding(80, at: "2024-01-15T08:00:00Z", detail: absurd)
            .adding(90, at: "2024-01-15T08:10:00Z", detail: absurd).adding(120, at: "2024-01-15T08:30:00Z")
        let derived = try summary([watch])
        #expect(derived.progress.map(\.figures.quantity) == [120])
        #expect(derived.skipped == ["implausible number of measurements": 2])
    }
}
