import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct MetricTrendTests {
    /// Returns the mean of the quantities whose distance to `last` in days is in `ages`, computed by ordinals.
    private func mean(_ quantities: [DailyQuantity], last: CalendarDay, ages: Range<Int>) -> Double? {
        let own = quantities.filter { ages.contains(last.ordinal - $0.day.ordinal) }.map(\.quantity)
        return own.count < 10 ? nil : own.reduce(0, +) / Double(own.count)
    }

    private func expectEqual(_ left: Double?, _ right: Double?) {
        #expect((left == nil) == (right == nil))
        if let left, let right { #expect(abs(left - right) < 1e-6) }
    }

    @Test("Means are those of thirty days, of the thirty before, and of a year ago", arguments: Seeds.range(40))
    func means(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // 1 March of a year that is not a leap year, so that a year ago is 365 days ago.
        let last = try #require(CalendarDay("2023-03-01")).advanced(by: .random(in: 0...300, using: &random))
        let chance = Double.random(in: 0...1, using: &random)
        let quantities = (0..<500).filter { _ in Double.random(in: 0..<1, using: &random) < chance }.map {
            DailyQuantity(day: last.advanced(by: 10 - $0), quantity: Double(Int.random(in: 0...30_000, using: &random)))
        }.shuffled(using: &random)
        let trend = MetricTrend(through: last, quantities: quantities)
        expectEqual(trend.average, mean(quantities, last: last, ages: 0..<30))
        expectEqual(trend.averageBefore, mean(quantities, last: last, ages: 30..<60))
        expectEqual(trend.averageYearAgo, mean(quantities, last: last, ages: 365..<395))
        #expect(trend.recent.map(\.day) == trend.recent.map(\.day).sorted())
        #expect(trend.recent.count == quantities.count { (0..<30).contains(last.ordinal - $0.day.ordinal) })
    }

    @Test("The needed ranges contain every day that the trend uses")
    func ranges() throws {
        let last = try #require(CalendarDay("2024-02-29"))
        let needed = MetricTrend.needed(through: last)
        #expect(needed.map(\.first.description) == ["2023-01-30", "2024-01-01"])
        #expect(needed.map(\.last.description) == ["2023-02-28", "2024-02-29"])
    }
}
