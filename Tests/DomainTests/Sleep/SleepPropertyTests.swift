import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SleepPropertyTests {
    @Test(arguments: Seeds.range(80))
    func sessionsDoNotDependOnTheRangesOfNights(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let samples = fixture.random(seed: seed)
        let whole = fixture.derived(samples)
        var parts: [SleepSession] = []
        var skipped: [String: Int] = [:]
        for day in fixture.days {
            let part = fixture.derived(samples, days: DayRange(day))
            parts += part.sleepSessions
            skipped.merge(part.skipped) { $0 + $1 }
        }
        #expect(parts == whole.sleepSessions)
        #expect(skipped == whole.skipped)
    }

    @Test(arguments: Seeds.range(80))
    func neitherOrderNorRepetitionMatters(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let samples = fixture.random(seed: seed)
        var random = SeededRandom(seed: seed)
        let shuffled = samples.shuffled(using: &random).map { origin in
            let twice = Array(0..<origin.columns.count) + Array(0..<origin.columns.count)
            return OriginSamples(
                origin: origin.origin, columns: origin.columns.selecting(twice.shuffled(using: &random)))
        }
        #expect(fixture.sessions(shuffled) == fixture.sessions(samples))
    }

    @Test(arguments: Seeds.range(80))
    func everyMinuteCountsOnceForItsDominantStage(seed: UInt64) throws {
        let fixture = try SleepFixture()
        for session in fixture.sessions(fixture.random(seed: seed)) {
            var minutes: [Int64: SleepStage] = [:]
            for stage in [SleepStage.awake, .asleep, .core, .rem, .deep] {
                for item in session.stages where item.stage == stage {
                    var moment = item.interval.start.milliseconds
                    while moment < item.interval.end.milliseconds {
                        minutes[moment] = stage
                        moment += 60_000
                    }
                }
            }
            let length = { (stage: SleepStage) in Int64(minutes.values.count { $0 == stage }) * 60_000 }
            #expect(session.durations.deep == length(.deep))
            #expect(session.durations.rem == length(.rem))
            #expect(session.durations.core == length(.core))
            #expect(session.durations.unspecified == length(.asleep))
            #expect(session.durations.awake == length(.awake))
            #expect(session.durations.asleep == Int64(minutes.values.count(where: \.isSleep)) * 60_000)
        }
    }

    @Test(arguments: Seeds.range(80))
    func everySampleIsInOneSessionAndSessionsAreSeparated(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let samples = fixture.random(seed: seed)
        let sessions = fixture.derived(samples, days: fixture.days.widened(before: 3, after: 3)).sleepSessions
        for (recorder, own) in Dictionary(grouping: sessions, by: \.origin.recorder) {
            let ordered = own.sorted { $0.interval.start < $1.interval.start }
            for (earlier, later) in zip(ordered, ordered.dropFirst()) {
                #expect(later.interval.start.milliseconds - earlier.interval.end.milliseconds > 3_600_000)
            }
            let given = Set(
                samples.filter { $0.origin.recorder == recorder }.flatMap { origin in
                    (0..<origin.columns.count).filter { origin.columns.durations[$0] > 0 }.compactMap { index in
                        SleepStage(healthKitValue: Int(origin.columns.values[index])).map {
                            SleepStageInterval(stage: $0, interval: origin.columns.interval(index))
                        }
                    }
                })
            let kept = own.flatMap(\.stages)
            #expect(Set(kept) == given && kept.count == given.count)
        }
        for (_, day) in Dictionary(grouping: sessions, by: \.day) {
            let mains = Set(day.filter { $0.role == .main && $0.share != nil }.map(\.onset))
            #expect(mains.count <= 1)
        }
    }

    /// What counts is recorded sleep, each moment once, and fits in bed.
    @Test(arguments: Seeds.range(80))
    func everyMomentOfANightCountsOnce(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let sessions = fixture.sessions(fixture.random(seed: seed))
        for episode in SleepEpisode.episodes(of: sessions) {
            let stretches = episode.sessions.flatMap { $0.share?.stretches ?? [] }.sorted { $0.start < $1.start }
            #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end <= $1.start })
            let durations = episode.durations
            #expect(durations.asleep == durations.deep + durations.rem + durations.core + durations.unspecified)
            #expect(durations.asleep + durations.awake <= durations.inBed)
            let hypnogram = try #require(Hypnogram(of: episode))
            for (stage, length) in [
                (SleepStage.deep, durations.deep), (.rem, durations.rem), (.core, durations.core),
                (.asleep, durations.unspecified), (.awake, durations.awake),
            ] {
                let drawn = hypnogram.segments.filter { $0.stage == stage }.reduce(0) { $0 + $1.interval.milliseconds }
                #expect(drawn == length)
            }
        }
    }
}
