import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct YearMapTests {
    @Test("Every day is in its year, and each level has about a fifth of the days", arguments: Seeds.range(20))
    func levels(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let first = try #require(CalendarDay("2019-06-15"))
        let quantities = (0..<1_500).filter { _ in Int.random(in: 0..<10, using: &random) > 0 }.map {
            DailyQuantity(
                day: first.advanced(by: $0), quantity: Double.random(in: 0...20_000, using: &random).rounded())
        }
        let map = YearMap(quantities.shuffled(using: &random), resolution: 1)
        #expect(map.years.map(\.year) == [2023, 2022, 2021, 2020, 2019])
        #expect(map.years.reversed().flatMap(\.quantities) == quantities)
        #expect(map.bounds.count == 4 && map.bounds == map.bounds.sorted())
        for level in 0..<5 {
            let share = Double(quantities.count { map.level(of: $0.quantity) == level }) / Double(quantities.count)
            #expect((0.18...0.22).contains(share), "\(level): \(share)")
        }
        for year in map.years {
            let own = quantities.filter { $0.day.description.hasPrefix("\(year.year)") }
            #expect(abs(year.average - own.reduce(0) { $0 + $1.quantity } / Double(own.count)) < 1e-6)
            #expect(year.lowest.quantity == own.map(\.quantity).min())
            #expect(year.highest == own.max { ($0.quantity, $1.day) < ($1.quantity, $0.day) })
            let june = own.filter { $0.day.description.dropFirst(5).hasPrefix("06") }.map(\.quantity)
            let expected = june.isEmpty ? nil : june.reduce(0, +) / Double(june.count)
            #expect(abs((year.months[5] ?? -1) - (expected ?? -1)) < 1e-6)
        }
    }

    @Test("Few different quantities have fewer levels, never two with the same bound")
    func fewLevels() throws {
        let first = try #require(CalendarDay("2024-01-01"))
        func map(_ values: [Double]) -> YearMap {
            YearMap(
                values.enumerated().map { DailyQuantity(day: first.advanced(by: $0), quantity: $1) }, resolution: 1)
        }
        #expect(map([]).years.isEmpty && map([]).bounds.isEmpty)
        #expect(map([5]).bounds.isEmpty && map([5]).level(of: 5) == 0)
        #expect(map([52, 52, 52, 53, 53]).bounds == [53])
    }
}
