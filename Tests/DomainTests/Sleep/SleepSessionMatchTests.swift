import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SleepSessionMatchTests {
    private func session(_ start: String, minutes: Double, by name: String = "Watch") throws -> SleepSession {
        let fixture = try SleepFixture()
        let series = SampleSeries(name).adding(SleepFixture.core, at: start, minutes: minutes)
        return try #require(fixture.sessions([series.samples]).first)
    }

    @Test func aGrowingSessionKeepsItsID() throws {
        let stored = RevisedRecord(try session("2024-03-29T22:00:00Z", minutes: 60), sourceID: "a", revision: 3)
        let grown = try session("2024-03-29T22:30:00Z", minutes: 400)
        let match = SleepSessionMatch(stored: [stored], derived: [grown])
        #expect(match.kept.map(\.stored.sourceID) == ["a"])
        #expect(match.kept.map(\.session) == [grown])
        #expect(match.added.isEmpty && match.vanished.isEmpty)
    }

    @Test func sessionsWithAnotherRecorderNightOrTimeDiffer() throws {
        let stored = RevisedRecord(try session("2024-03-29T22:00:00Z", minutes: 60), sourceID: "a", revision: 1)
        for other in [
            try session("2024-03-29T22:00:00Z", minutes: 60, by: "Phone"),
            try session("2024-03-30T22:00:00Z", minutes: 60),
            try session("2024-03-29T23:00:00Z", minutes: 60),
        ] {
            let match = SleepSessionMatch(stored: [stored], derived: [other])
            #expect(match.kept.isEmpty)
            #expect(match.added == [other])
            #expect(match.vanished == [stored])
        }
    }

    @Test func theLargerShareKeepsTheID() throws {
        let stored = RevisedRecord(try session("2024-03-29T22:00:00Z", minutes: 480), sourceID: "a", revision: 1)
        let parts = [
            try session("2024-03-29T22:00:00Z", minutes: 60), try session("2024-03-30T00:30:00Z", minutes: 330),
        ]
        let match = SleepSessionMatch(stored: [stored], derived: parts)
        #expect(match.kept.map(\.session) == [parts[1]])
        #expect(match.added == [parts[0]])
    }

    @Test(arguments: Seeds.range(60))
    func everySessionIsMatchedOnce(seed: UInt64) throws {
        let fixture = try SleepFixture()
        let stored = fixture.sessions(fixture.random(seed: seed)).enumerated().map {
            RevisedRecord($1, sourceID: "\($0)", revision: 1)
        }
        let derived = fixture.sessions(fixture.random(seed: seed / 2 + 100))
        var random = SeededRandom(seed: seed)
        let match = SleepSessionMatch(stored: stored, derived: derived)
        #expect(match.kept.count + match.added.count == derived.count)
        #expect(match.kept.count + match.vanished.count == stored.count)
        #expect(Set(match.kept.map(\.stored.sourceID)).count == match.kept.count)
        let again = SleepSessionMatch(
            stored: stored.shuffled(using: &random), derived: derived.shuffled(using: &random))
        #expect(again.kept.map(\.stored) == match.kept.map(\.stored))
        #expect(again.added == match.added)
        let same = SleepSessionMatch(stored: stored, derived: stored.map(\.record))
        #expect(same.kept.count == stored.count)
        #expect(same.kept.allSatisfy { $0.session == $0.stored.record })
    }
}
