import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct HypnogramTests {
    @Test(arguments: Seeds.range(80))
    func segmentsAddUpToTheDurations(seed: UInt64) throws {
        let fixture = try SleepFixture()
        for session in fixture.sessions(fixture.random(seed: seed)) {
            guard let hypnogram = Hypnogram(of: SleepEpisode(alone: session)) else {
                #expect(session.interval.isEmpty)
                continue
            }
            let length = { (stage: SleepStage) in
                hypnogram.segments.filter { $0.stage == stage }.map(\.interval.milliseconds).reduce(0, +)
            }
            let durations = session.durations
            let rest = durations.inBed - durations.asleep - durations.awake
            #expect(length(.deep) == durations.deep)
            #expect(length(.rem) == durations.rem)
            #expect(length(.core) == durations.core)
            #expect(length(.asleep) == durations.unspecified)
            #expect(length(.awake) == durations.awake)
            #expect(length(.inBed) == rest)
            #expect(hypnogram.segments.first?.interval.start == session.interval.start)
            #expect(hypnogram.segments.last?.interval.end == session.interval.end)
            for (earlier, later) in zip(hypnogram.segments, hypnogram.segments.dropFirst()) {
                #expect(earlier.interval.end == later.interval.start)
                #expect(earlier.stage != later.stage)
            }
        }
    }

    @Test(arguments: Seeds.range(80))
    func aSliceHasItsLongestStage(seed: UInt64) throws {
        let fixture = try SleepFixture()
        for session in fixture.sessions(fixture.random(seed: seed)) {
            guard let hypnogram = Hypnogram(of: SleepEpisode(alone: session)) else {
                #expect(session.interval.isEmpty)
                continue
            }
            let minutes = Int(session.interval.milliseconds / 60_000)
            // Each slice of a minute has one stage, because the stages of the fixture are on whole minutes.
            let slices = hypnogram.slices(minutes)
            for stage in SleepStage.allCases {
                let length = hypnogram.segments.filter { $0.stage == stage }.map(\.interval.milliseconds).reduce(0, +)
                #expect(slices.count { $0 == stage } == Int(length / 60_000))
            }
            #expect(hypnogram.slices(7).count == 7)
        }
    }

    @Test func theFixtureHasSessions() throws {
        let fixture = try SleepFixture()
        #expect((0..<80).allSatisfy { !fixture.sessions(fixture.random(seed: $0)).isEmpty })
    }

    @Test func moreSlicesThanMilliseconds() throws {
        var session = try Self.shortSession()
        session.interval.end = session.interval.start.advanced(byMilliseconds: 2)
        #expect(Hypnogram(of: SleepEpisode(alone: session))?.slices(5) == [.core, .core, .core, .core, .core])
        session.interval.end = session.interval.start
        #expect(Hypnogram(of: SleepEpisode(alone: session)) == nil)
    }

    @Test func totalsHaveNoHypnogram() throws {
        var session = try Self.shortSession()
        session.stages = []
        #expect(Hypnogram(of: SleepEpisode(alone: session)) == nil)
    }

    private static func shortSession() throws -> SleepSession {
        let samples = SampleSeries("Watch").adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 5)
        return try #require(try SleepFixture().sessions([samples.samples]).first)
    }
}
