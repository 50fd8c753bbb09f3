import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct SleepRegularityTests {
    private let paris: DayClock

    init() throws { paris = DayClock(home: try ZoneRules(identifier: "Europe/Paris")) }

    /// Returns the night to `day` between two times of UTC, in minutes after midnight UTC of that day.
    private func night(
        _ day: String, _ start: Int64, _ end: Int64, offset: Int64, asleep: Int64? = 1
    ) throws -> NightTimes {
        let day = try #require(CalendarDay(day))
        let interval = InstantRange(
            start: day.utcStart.advanced(bySeconds: start * 60), end: day.utcStart.advanced(bySeconds: end * 60))
        return NightTimes(day: day, interval: interval, offsetSeconds: offset, asleep: asleep)
    }

    @Test("Hours are those of the user's clock, also when it changes at night and in another zone")
    func hours() throws {
        // 23:00 to 07:00 in winter.
        let winter = NightHours(try night("2024-01-10", -120, 360, offset: 3600), clock: paris)
        #expect((winter.start, winter.end, winter.middle) == (660, 1140, 900))
        // The clocks are set forward at 02:00: seven hours from 23:00 to 07:00.
        let change = NightHours(try night("2024-03-31", -120, 300, offset: 3600), clock: paris)
        #expect((change.start, change.end) == (660, 1140))
        // 23:00 to 07:00 in New York.
        let away = NightHours(try night("2024-01-10", 240, 720, offset: -18_000), clock: paris)
        #expect((away.start, away.end) == (660, 1140))
    }

    @Test("Workdays and weekends are separate, and nights only in bed do not count")
    func weekends() throws {
        let monday = try #require(CalendarDay("2024-01-08"))
        let nights = try (0..<28).map { index in
            let day = monday.advanced(by: index)
            let late: Int64 = index % 7 >= 5 ? 60 : 0
            return try night(
                "\(day)", -120 + late, 360 + late, offset: 3600, asleep: (480 - late) * 60_000)
        }
        let inBed = try night("2024-02-05", -600, 600, offset: 3600, asleep: nil)
        let regularity = SleepRegularity((nights + [inBed]).map { NightHours($0, clock: paris) })
        #expect(regularity.nights == 28)
        #expect(regularity.workdayMiddle == 900 && regularity.weekendMiddle == 960)
        #expect(regularity.workdayAsleep == 28_800_000 && regularity.weekendAsleep == 25_200_000)
        // Five of seven nights at 0, two at 60: the variance is 3600 · 10 ÷ 49.
        #expect(abs((regularity.spread ?? 0) - (36_000.0 / 49).squareRoot()) < 1e-6)
        let few = SleepRegularity(nights.prefix(5).map { NightHours($0, clock: paris) })
        #expect(few.workdayMiddle == 900 && few.weekendMiddle == nil && few.spread == nil)
    }
}
