import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// What a feed without identifiers states for overlapping intervals is one measurement.
struct RestatedMergeTests {
    private static let restated = SampleDetail(syncVersion: 1)

    private func quantities(_ samples: [OriginSamples], days: DayRange, unit: String = "count") -> [Double] {
        CumulativeMerge(metric: .steps, unit: unit, days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
            .days(of: samples).progress.map(\.figures.quantity)
    }

    private func series(
        _ rows: [(value: Double, start: String, minutes: Double)], detail: SampleDetail?
    ) -> OriginSamples {
        rows.reduce(SampleSeries("App")) { series, row in
            series.adding(row.value, at: "2024-01-15T\(row.start):00Z", minutes: row.minutes, detail: detail)
        }
        .samples
    }

    @Test(
        arguments: [
            ([(500, "09:00", 60), (400, "09:30", 60)], 700.0, 900.0),
            ([(500, "09:00", 60), (400, "10:00", 60)], 900, 900),
            ([(500, "09:00", 60), (480, "09:00", 60)], 500, 980),
            ([(300, "09:00", 30), (500, "09:00", 60)], 500, 800),
            ([(8_000, "00:00", 1_440), (500, "09:00", 60), (600, "10:00", 60)], 8_000, 9_100),
        ] as [([(Double, String, Double)], Double, Double)])
    func onlyTheTimeThatNoEarlierOneCoversCounts(
        rows: [(Double, String, Double)], expected: Double, ofARecorder: Double
    ) throws {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let rows = rows.map { (value: $0.0, start: $0.1, minutes: $0.2) }
        #expect(quantities([series(rows, detail: Self.restated)], days: days) == [expected])
        #expect(quantities([series(rows.reversed(), detail: Self.restated)], days: days) == [expected])
        #expect(quantities([series(rows, detail: nil)], days: days) == [ofARecorder])
        let identified = SampleDetail(externalID: "a", syncVersion: 1)
        #expect(quantities([series(rows, detail: identified)], days: days) == [ofARecorder])
    }

    /// One that is no plausible sample covers nothing.
    @Test func aSkippedSampleCoversNothing() throws {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let longest = Double(CumulativeMerge.longestSample / 60_000)
        for (minutes, expected) in [(longest, 100.0 / 31), (longest + 1, 500)] {
            let rows = [(value: 100.0, start: "00:00", minutes: minutes), (500, "09:00", 60)]
            let found = quantities([series(rows, detail: Self.restated)], days: days, unit: "kcal")
            #expect(found.count == 1 && abs(found[0] - expected) < 1e-9)
        }
    }

    @Test(
        arguments: [(1e12, [1e12], [:]), (1.000_001e12, [], ["too large": 1])] as [(Double, [Double], [String: Int])])
    func aValueOfMoreThanATrillionIsSkipped(value: Double, counted: [Double], skipped: [String: Int]) throws {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let merge = CumulativeMerge(
            metric: .steps, unit: "count", days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
        let derived = merge.days(of: [series([(value, "09:00", 30)], detail: nil)])
        #expect(derived.progress.map(\.figures.quantity) == counted && derived.skipped == skipped)
    }

    @Test func aDayDoesNotDependOnTheOtherDaysRequested() throws {
        let samples = series(
            [(500, "20:00", 360), (700, "23:00", 180), (300, "22:00", 1_500)], detail: Self.restated)
        let all = try #require(DayRange(try RandomSteps.day("2024-01-15"), through: try RandomSteps.day("2024-01-16")))
        #expect(all.flatMap { quantities([samples], days: DayRange($0)) } == quantities([samples], days: all))
    }
}
