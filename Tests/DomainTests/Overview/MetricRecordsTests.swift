import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct MetricRecordsTests {
    /// Returns the longest run of consecutive days that are in `days`, found by trying every start.
    private func longest(_ days: Set<CalendarDay>) -> DayRange? {
        var longest: DayRange?
        for start in days.sorted() where !days.contains(start.advanced(by: -1)) {
            var end = start
            while days.contains(end.advanced(by: 1)) { end = end.advanced(by: 1) }
            if end.ordinal - start.ordinal + 1 > longest?.count ?? 0 { longest = DayRange(start, through: end) }
        }
        return longest
    }

    @Test("Best days and streaks are those that every start and every day gives", arguments: Seeds.range(40))
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = try #require(CalendarDay("2023-11-20"))
        let chance = Double.random(in: 0.1...1, using: &random)
        let quantities = (0..<400).filter { _ in Double.random(in: 0..<1, using: &random) < chance }.map {
            DailyQuantity(
                day: first.advanced(by: $0), quantity: (Double.random(in: 0...300, using: &random) * 10).rounded() / 10)
        }
        let records = try #require(MetricRecords(quantities, resolution: 1))
        let values = quantities.map(\.quantity)
        #expect(records.highest == quantities.first { $0.quantity == values.max() })
        #expect(records.lowest == quantities.first { $0.quantity == values.min() })
        #expect(records.median == records.median.rounded())
        #expect(values.count { $0 >= records.median } * 2 >= values.count)
        #expect(values.count { $0 >= records.median + 1 } * 2 <= values.count + 1)
        #expect(records.streak == longest(Set(quantities.filter { $0.quantity >= records.median }.map(\.day))))
        #expect(records.recordedStreak == longest(Set(quantities.map(\.day))))
    }

    @Test("One day is its own record, and no day has none")
    func fewDays() throws {
        let day = try #require(CalendarDay("2024-02-29"))
        let records = try #require(MetricRecords([DailyQuantity(day: day, quantity: 0.3)], resolution: 0.1))
        #expect(records.streak == DayRange(day) && records.recordedStreak == DayRange(day))
        #expect(records.median <= 0.3)
        #expect(MetricRecords([], resolution: 1) == nil)
    }

    @Test(
        "Quantities of any size have records",
        arguments: [-1e300, 0, Double.leastNonzeroMagnitude, 1e19, .greatestFiniteMagnitude])
    func extremes(quantity: Double) throws {
        let day = try #require(CalendarDay("2024-02-29"))
        let quantities = (0..<30).map { DailyQuantity(day: day.advanced(by: $0), quantity: quantity) }
        let records = try #require(MetricRecords(quantities, resolution: 0.01))
        #expect(records.median <= quantity && records.streak.count == 30)
        let history = MetricHistory(quantities)
        #expect(history.months.allSatisfy { $0.average.isFinite } && history.years.allSatisfy { $0.average.isFinite })
    }
}
