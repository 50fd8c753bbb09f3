import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SleepPeriodTests {
    @Test("Months have the mean sleep of their nights, without those only in bed", arguments: Seeds.range(10))
    func months(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = try #require(CalendarDay("2023-11-20"))
        let clock = DayClock(home: .utc)
        let nights = (0..<120).filter { _ in Bool.random(using: &random) }.map { age in
            let day = first.advanced(by: age)
            let start = day.utcStart.advanced(bySeconds: Int64.random(in: -7_200...7_200, using: &random))
            let asleep: Int64? = age % 9 == 0 ? nil : Int64.random(in: 18_000_000...30_000_000, using: &random)
            return NightHours(
                NightTimes(
                    day: day, interval: InstantRange(start: start, end: start.advanced(bySeconds: 28_800)),
                    offsetSeconds: 0, asleep: asleep), clock: clock)
        }
        let days = DayRange(first).widened(before: 0, after: 119)
        let months = SleepPeriod.periods(.month, of: days, nights: nights)
        #expect(months.map(\.period.description) == ["2023-11", "2023-12", "2024-01", "2024-02", "2024-03"])
        for month in months {
            let own = nights.filter { $0.day.description.hasPrefix(month.period.description) }
            let slept = own.compactMap(\.asleep).map(Double.init)
            #expect(month.nights == own && month.sleptNights == slept.count)
            let mean = slept.isEmpty ? nil : slept.reduce(0, +) / Double(slept.count)
            #expect((month.averageAsleep == nil) == (mean == nil))
            if let mean, let found = month.averageAsleep { #expect(abs(found - mean) < 1e-3) }
            #expect(month.regularity == SleepRegularity(own))
        }
    }
}
