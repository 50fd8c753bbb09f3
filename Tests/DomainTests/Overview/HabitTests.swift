import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Best times and trends")
struct HabitTests {
    @Test("the weekday has the largest mean of its days, and the hour the largest sum of the local clock")
    func habits() throws {
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        let monday = try RandomSteps.day("2024-03-25")
        // Two Mondays with a mean of 500, one Sunday with 600. On that Sunday clocks go forward.
        let figures: [(Int, Double, Int, Double)] = [(0, 100, 8, 90), (6, 600, 17, 400), (7, 900, 8, 300)]
        let days = figures.map { offset, quantity, hour, part in
            let day = monday.advanced(by: offset)
            var progress = RandomDays.progress(.steps, day, ProgressFigures(quantity: quantity))
            let slot = clock.hours(of: day).first { slot in
                let local = slot.start.milliseconds + clock.offsetSeconds(at: slot.start) * 1_000
                return local / 3_600_000 % 24 == Int64(hour)
            }
            progress.hours =
                slot.map { [HourProgress(start: $0.start, figures: ProgressFigures(quantity: part))] } ?? []
            return progress
        }
        let habits = MetricHabits(of: days, clock: clock)
        #expect(habits.weekday == MetricHabits(of: [days[1]] + [days[0]], clock: clock).weekday)
        #expect(habits.weekday?.isoWeekday == 7 && habits.weekday?.average == 600)
        #expect(habits.hour?.hour == 17 && abs((habits.hour?.average ?? 0) - 400.0 / 3) < 1e-9)
        #expect(MetricHabits(of: [days[0], days[2]], clock: clock).weekday == nil)
        #expect(MetricHabits(of: [days[0], days[2]], clock: clock).hour?.hour == 8)
        #expect(MetricHabits(of: [], clock: clock).hour == nil)
    }

    @Test("the trend of the resting heart rate is the slope of a line, and needs a year")
    func trend() throws {
        let first = try RandomSteps.day("2020-01-01")
        func overview(_ length: Int, _ rate: (Int) -> Double) -> HeartOverview {
            let progress = stride(from: 0, to: length, by: 3).map { offset in
                RandomDays.progress(
                    .restingHeartRate, first.advanced(by: offset), ProgressFigures(quantity: rate(offset)))
            }
            return HeartOverview(days: DayRange(first).widened(before: 0, after: length), progress: progress)
        }
        let falling = try #require(overview(2_000) { 60 - 1.5 * Double($0) / 365.25 }.restingChangePerYear)
        #expect(abs(falling + 1.5) < 1e-9)
        let flat = try #require(overview(1_000) { _ in 58 }.restingChangePerYear)
        #expect(flat == 0)
        #expect(overview(300) { 60 - Double($0) }.restingChangePerYear == nil)
        #expect(overview(0) { _ in 60 }.restingChangePerYear == nil)
    }

    @Test("the nights of weeks, months and years are those of their days", arguments: Seeds.range(20))
    func averages(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let overview = SleepOverview(
            days: fixture.days.widened(before: 40, after: 40), sessions: fixture.sessions(fixture.random(seed: seed)))
        for unit in CalendarPeriod.Unit.allCases {
            let periods = overview.averages(by: unit)
            #expect(periods.reduce(0) { $0 + $1.recordedDays } == overview.nights.count)
            #expect(periods.reduce(0) { $0 + ($1.averages?.nights ?? 0) } == overview.averages?.nights)
            let sum = periods.reduce(0.0) { $0 + ($1.averages.map { $0.asleep * Double($0.nights) } ?? 0) }
            let all = try #require(overview.averages)
            #expect(abs(sum - all.asleep * Double(all.nights)) < 1)
        }
    }

    @Test(
        "durations are hours and minutes",
        arguments: [
            (0, "0 min"), (29_999, "0 min"), (30_000, "1 min"), (2_700_000, "45 min"), (3_600_000, "1 h 0 min"),
            (26_760_000, "7 h 26 min"), (-1_800_000, "-30 min"), (86_400_000 * 400, "9600 h 0 min"),
            (6e300, "1e+296 min"),
        ] as [(Double, String)])
    func durations(milliseconds: Double, text: String) {
        #expect(DurationText.minutes(milliseconds: milliseconds) == text)
    }
}
