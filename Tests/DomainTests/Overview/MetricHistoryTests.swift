import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct MetricHistoryTests {
    private let first = CalendarDay(ordinal: 16_801)  // 2016-01-01

    @Test("A planted trend is found, through noise and gaps", arguments: [-2.0, -0.4, 0.3, 150])
    func plantedTrend(slope: Double) throws {
        var random = SeededRandom(seed: 7)
        let quantities = (0..<3_653).filter { $0 % 11 != 3 }.map { age in
            let noise = Double.random(in: -1...1, using: &random) * slope.magnitude
            return DailyQuantity(
                day: first.advanced(by: age), quantity: 60 + slope * Double(age) / 365.2425 + noise)
        }
        let found = try #require(MetricHistory(quantities).changePerYear)
        #expect(abs(found - slope) < 0.02 * slope.magnitude)
    }

    @Test("Less than two years, or days in few months, have no trend")
    func noTrend() {
        let year = (0..<400).map { DailyQuantity(day: first.advanced(by: $0), quantity: Double($0)) }
        #expect(MetricHistory(year).changePerYear == nil)
        let monthly = (0..<100).map { DailyQuantity(day: first.advanced(by: $0 * 30), quantity: Double($0)) }
        #expect(MetricHistory(monthly).changePerYear == nil && MetricHistory(monthly).months.isEmpty)
        let months = Set(monthly.map { "\($0.day)".prefix(7) })
        #expect(MetricHistory(monthly).shortMonths == months.count && MetricHistory(year).shortMonths == 1)
        #expect(MetricHistory([]).months.isEmpty && MetricHistory([]).years.isEmpty)
    }

    @Test(
        "Months and years have the means of their days, and the steadiest month varies least",
        arguments: Seeds.range(20))
    func months(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let quantities = (0..<900).filter { _ in Int.random(in: 0..<5, using: &random) > 0 }.map {
            DailyQuantity(day: first.advanced(by: $0), quantity: Double.random(in: 1...20_000, using: &random))
        }
        let history = MetricHistory(quantities)
        func own(_ prefix: String) -> [Double] {
            quantities.filter { $0.day.description.hasPrefix(prefix) }.map(\.quantity)
        }
        for month in history.months {
            let values = own(month.period.description)
            let mean = values.reduce(0, +) / Double(values.count)
            let squares = values.map { $0 * $0 }.reduce(0, +) / Double(values.count)
            #expect(month.days == values.count && values.count >= 10)
            #expect(abs(month.average - mean) < 1e-6)
            #expect(abs(month.spread - (squares - mean * mean).squareRoot()) < 1e-3)
        }
        for year in history.years {
            let values = own("\(year.year)")
            #expect(abs(year.average - values.reduce(0, +) / Double(values.count)) < 1e-6)
        }
        #expect(history.years.map(\.year) == [2016, 2017, 2018])
        let steadiest = try #require(history.steadiest)
        #expect(
            history.months.filter { $0.days >= 20 }.allSatisfy {
                $0.spread / $0.average >= steadiest.spread / steadiest.average
            })
    }

    @Test("A year contains its own days, and compares with the year before")
    func year() throws {
        let quantities = (-366..<400).map {
            DailyQuantity(day: first.advanced(by: $0), quantity: $0 < 0 ? 5_000 : $0 < 366 ? 8_000 : 100)
        }
        let year = MetricYear(2016, of: quantities, resolution: 1)
        #expect(year.quantities.count == 366 && year.total == 366 * 8_000)
        #expect(year.average == 8_000 && year.averageBefore == 5_000)
        #expect(year.records?.streak.count == 366 && year.history.months.count == 12)
        let empty = MetricYear(2030, of: quantities, resolution: 1)
        #expect(empty.average == nil && empty.averageBefore == nil && empty.records == nil)
    }

    @Test("A period is partial if it has days before the first or after the last complete day")
    func partial() throws {
        let complete = DayRange(first.advanced(by: 10)).widened(before: 0, after: 100)
        let months = CalendarPeriod.periods(.month, of: DayRange(first).widened(before: 0, after: 140))
        #expect(months.map { $0.isPartial(within: complete) } == [true, false, false, true, true])
        #expect(months.allSatisfy { $0.isPartial(within: nil) })
    }
}
