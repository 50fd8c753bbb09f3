import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SleepOverviewTests {
    @Test(arguments: Seeds.range(80))
    func everySessionIsShownOnceAndAveragesAreMeans(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let sessions = fixture.sessions(fixture.random(seed: seed))
        let days = fixture.days.widened(before: 1, after: 1)
        let overview = SleepOverview(days: days, sessions: sessions)
        let atNight = overview.nights.flatMap { [$0.main] + $0.additional + $0.others }
        let shown = atNight + overview.naps + overview.otherNaps
        let recorded = shown.flatMap(\.sessions).map(\.interval)
        #expect(Set(recorded) == Set(sessions.map(\.interval)) && recorded.count == sessions.count)
        #expect(overview.nights.allSatisfy { $0.main.counts && $0.main.role == .main && $0.main.day == $0.day })
        #expect(Set(overview.nights.map(\.day)).count == overview.nights.count)
        let slept = overview.nights.map(\.main.durations).filter { $0.asleep + $0.awake > 0 }
        let mean = { (figures: [Double]) in figures.reduce(0, +) / Double(figures.count) }
        let averages = try #require(overview.averages)
        #expect(averages.nights == slept.count)
        #expect(abs(averages.asleep - mean(slept.map { Double($0.asleep) })) < 1e-3)
        #expect(abs(averages.inBed - mean(slept.map { Double($0.inBed) })) < 1e-3)
        #expect(abs(averages.efficiencyPercentage - mean(slept.map(\.efficiencyPercentage))) < 1e-9)
        let staged = slept.filter { $0.core + $0.deep + $0.rem > 0 }
        #expect(averages.stages?.nights ?? 0 == staged.count)
        if let stages = averages.stages {
            #expect(abs(stages.deep - mean(staged.map { Double($0.deep) })) < 1e-3)
            #expect(abs(stages.awake - mean(staged.map { Double($0.awake) })) < 1e-3)
        }
    }

    @Test func aNightOnlyInBedDoesNotAffectTheAverages() throws {
        let fixture = try SleepFixture()
        let samples = SampleSeries("iPhone").adding(SleepFixture.inBed, at: "2024-03-28T21:00:00Z", minutes: 500)
            .adding(SleepFixture.asleep, at: "2024-03-29T21:00:00Z", minutes: 400)
            .adding(SleepFixture.inBed, at: "2024-03-29T21:00:00Z", minutes: 500)
        let overview = SleepOverview(days: fixture.days, sessions: fixture.sessions([samples.samples]))
        #expect(overview.nights.count == 2)
        #expect(overview.averages?.nights == 1)
        #expect(overview.averages?.asleep == 24_000_000)
        #expect(overview.averages?.efficiencyPercentage == 80)
        #expect(overview.averages?.stages == nil)
    }

    @Test func withoutSleepThereAreNoAverages() throws {
        let overview = SleepOverview(days: try SleepFixture().days, sessions: [])
        #expect(overview.nights.isEmpty)
        #expect(overview.averages == nil)
    }

    @Test func theWeekEndsWithItsLastDay() throws {
        let last = try RandomSteps.day("2024-03-03")
        var snapshots = [last.advanced(by: -7), last.advanced(by: -2), last].map(ActivitySnapshot.init)
        snapshots[1].steps = 1_000
        snapshots[2].steps = 2_000
        snapshots[1].minutesAsleep = 400
        snapshots[2].minutesAsleep = 500
        let week = WeekOverview(through: last, snapshots: snapshots, today: last.advanced(by: 1))
        #expect(week.snapshots.map(\.day) == Array(week.days))
        #expect("\(week.days.first)" == "2024-02-26")
        #expect(week.snapshots.map(\.steps) == [nil, nil, nil, nil, 1_000, nil, 2_000])
        #expect(week.average(ofSum: true, \.steps) == 1_500)
        #expect(week.average(ofSum: false, \.restingHeartRate) == nil)
        let current = WeekOverview(through: last, snapshots: snapshots, today: last)
        #expect(week.incompleteDay == nil && current.incompleteDay == last)
        #expect(current.average(ofSum: true, \.steps) == 1_000)
        #expect(current.average(ofSum: false, \.minutesAsleep) == 450)
        #expect(current.averagesLackToday && !week.averagesLackToday)
        let only = WeekOverview(through: last, snapshots: [snapshots[2]], today: last)
        #expect(only.average(ofSum: true, \.steps) == 2_000 && !only.averagesLackToday)
        var earlier = ActivitySnapshot(day: last.advanced(by: -1))
        earlier.activeEnergyKilocalories = 25
        let mixed = WeekOverview(through: last, snapshots: [earlier, snapshots[2]], today: last)
        #expect(mixed.average(ofSum: true, \.steps) == nil && mixed.averagesLackToday)
        #expect(mixed.average(ofSum: true, \.activeEnergyKilocalories) == 25)
        #expect(SummaryOverview(week: week).snapshot?.steps == 2_000)
    }
}
