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
        #expect(session.day.description == "2024-03-30")
        #expect(session.role == .main && session.share?.durations == session.durations)
        #expect(session.onset == session.stages[1].interval.start)
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

    private static let limits: [(stage: Double, seconds: Int64, isPart: Bool)] = [
        (SleepFixture.inBed, 57_600, true), (SleepFixture.inBed, 57_601, false),
        (SleepFixture.awake, 10_800, true), (SleepFixture.awake, 10_801, false),
        (SleepFixture.core, 0, false), (SleepFixture.asleep, 72_000, true),
    ]

    @Test("An app's days in bed and awake are no part of a session, and neither is a moment", arguments: limits)
    func implausible(stage: Double, seconds: Int64, isPart: Bool) throws {
        let fixture = try SleepFixture()
        let start = try #require(RFC3339.instant("2024-03-29T12:00:00Z"))
        let samples = SampleSeries("App").adding(stage, at: start, milliseconds: seconds * 1_000)
        let derived = fixture.derived([samples.samples])
        #expect(derived.sleepSessions.count == (isPart ? 1 : 0))
        #expect(derived.skipped.values.reduce(0, +) == (isPart ? 0 : 1))
    }
}
