import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct SleepSessionBuilderTests {
    @Test func aNightIsASessionOfTheDayOnWhichItEnds() throws {
        let fixture = try SleepFixture()
        let night = SampleSeries("Watch")
            .adding(SleepFixture.inBed, at: "2024-03-29T21:50:00Z", minutes: 490)
            .adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 60)
            .adding(SleepFixture.deep, at: "2024-03-29T23:00:00Z", minutes: 120)
            .adding(SleepFixture.awake, at: "2024-03-30T01:00:00Z", minutes: 20)
            .adding(SleepFixture.rem, at: "2024-03-30T01:20:00Z", minutes: 40)
        let session = try #require(fixture.sessions([night.samples]).first)
        #expect(session.night.description == "2024-03-30")
        #expect(session.day == session.night)
        #expect(session.role == .main && session.isPreferred)
        #expect(session.offsetSeconds == 3600)
        #expect(session.durations.inBed == 490 * 60_000)
        #expect(session.durations.asleep == 220 * 60_000)
        #expect(session.durations.awake == 20 * 60_000)
        #expect(session.stages.count == 5)
        #expect(abs(session.durations.efficiencyPercentage - 220.0 / 490 * 100) < 1e-9)
    }

    @Test(arguments: [(60, 1), (61, 2)])
    func aGapOfMoreThanAnHourStartsANewSession(minutes: Int, sessions: Int) throws {
        let fixture = try SleepFixture()
        let second = try #require(RFC3339.instant("2024-03-29T23:00:00Z")).advanced(bySeconds: Int64(minutes) * 60)
        let night = SampleSeries("Watch").adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 60)
            .adding(SleepFixture.core, at: second, milliseconds: 3_600_000)
        #expect(fixture.sessions([night.samples]).count == sessions)
    }

    @Test func anAfternoonNapBelongsToItsCalendarDay() throws {
        let fixture = try SleepFixture()
        let samples = SampleSeries("Watch")
            .adding(SleepFixture.core, at: "2024-03-29T13:00:00Z", minutes: 45)
            .adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 420)
            .adding(SleepFixture.core, at: "2024-03-30T06:30:00Z", minutes: 190)
        let sessions = fixture.sessions([samples.samples])
        #expect(sessions.map(\.role) == [.nap, .main, .additional])
        #expect(sessions.map(\.night.description) == ["2024-03-30", "2024-03-30", "2024-03-30"])
        #expect(sessions.map(\.day.description) == ["2024-03-29", "2024-03-30", "2024-03-30"])
    }

    @Test(arguments: [(Int64(3 * 3_600_000 - 1), SleepSession.Role.nap), (Int64(3 * 3_600_000), .additional)])
    func lessThanThreeHoursOfSleepAreANap(asleep: Int64, role: SleepSession.Role) throws {
        let fixture = try SleepFixture()
        let nap = try #require(RFC3339.instant("2024-03-29T13:00:00Z"))
        let samples = SampleSeries("Watch").adding(SleepFixture.core, at: nap, milliseconds: asleep)
            .adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 420)
        #expect(fixture.sessions([samples.samples]).map(\.role) == [role, .main])
    }

    @Test func stagesArePreferredAndThenPriorityDecides() throws {
        let fixture = try SleepFixture()
        let phone = SampleSeries("Anna’s iPhone").adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 300)
        let watch = SampleSeries("Anna’s Watch").adding(SleepFixture.asleep, at: "2024-03-29T21:00:00Z", minutes: 400)
        let diary = SampleSeries("Diary").adding(SleepFixture.inBed, at: "2024-03-29T20:00:00Z", minutes: 600)
        let preferred = { (series: [SampleSeries]) in
            fixture.sessions(series.map(\.samples)).filter(\.isPreferred).map(\.origin.sourceName)
        }
        #expect(preferred([phone, watch, diary]) == ["Anna’s iPhone"])
        #expect(preferred([diary, watch]) == ["Anna’s Watch"])
        let staged = watch.adding(SleepFixture.deep, at: "2024-03-30T03:00:00Z", minutes: 20)
        #expect(preferred([phone, staged, diary]) == ["Anna’s Watch"])
    }

    @Test func aNapRecordedOnlyByThePhoneIsShown() throws {
        let fixture = try SleepFixture()
        let watch = SampleSeries("Watch").adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 400)
        let phone = SampleSeries("iPhone").adding(SleepFixture.asleep, at: "2024-03-29T22:10:00Z", minutes: 390)
            .adding(SleepFixture.asleep, at: "2024-03-29T13:00:00Z", minutes: 30)
        let shown = fixture.sessions([watch.samples, phone.samples]).filter(\.isPreferred)
        #expect(shown.map(\.role) == [.nap, .main])
        #expect(shown.map(\.origin.sourceName) == ["iPhone", "Watch"])
    }

    @Test func theZoneOfTheFirstSampleDeterminesTheNight() throws {
        let fixture = try SleepFixture()
        let samples = SampleSeries("Watch")
            .adding(SleepFixture.core, at: "2024-03-30T13:00:00Z", minutes: 400, zoneName: "Asia/Tokyo")
        let session = try #require(fixture.sessions([samples.samples]).first)
        #expect(session.night.description == "2024-03-31")
        #expect(session.offsetSeconds == 9 * 3600)
    }

    @Test func totalsMakeASessionWithoutStages() throws {
        let fixture = try SleepFixture()
        let origin = SampleOrigin(sourceName: "Watch", isPreAggregated: true)
        var series = SampleSeries(origin)
        for (stage, minutes) in [(SleepFixture.core, 200.0), (SleepFixture.deep, 60), (SleepFixture.awake, 10)] {
            for length in [minutes, minutes - 5] {
                series = series.adding(
                    stage, at: "2024-03-29T22:00:00Z", minutes: 300,
                    detail: SampleDetail(stateMilliseconds: Int64(length) * 60_000))
            }
        }
        let sessions = fixture.sessions([series.samples])
        #expect(sessions.count == 1)
        let session = try #require(sessions.first)
        #expect(session.stages.isEmpty)
        #expect(session.durations.asleep == 260 * 60_000)
        #expect(session.durations.awake == 10 * 60_000)
    }

    @Test func unknownStagesAreLeftOutAndCounted() throws {
        let fixture = try SleepFixture()
        let samples = SampleSeries("Watch").adding(9, at: "2024-03-29T22:00:00Z", minutes: 10)
            .adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 20_000)
        let derived = fixture.derived([samples.samples])
        #expect(derived.sleepSessions.isEmpty)
        #expect(derived.skipped == ["unknown stage": 1, "longer than a week": 1])
    }
}
