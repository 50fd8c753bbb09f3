import HealthSyncDomain
import Testing

@Suite("Times of a clock on the wall") struct WallClockTimesTests {
    private let berlin: DayClock

    init() throws { berlin = DayClock(home: try ZoneRules(identifier: "Europe/Berlin")) }

    @Test("A time with an offset is an instant, and needs no identifier")
    func offsets() throws {
        var times = WallClockTimes(clock: berlin)
        let found = times.start("2024-01-15T08:00:00+03:00", series: "a")
        let start = try #require(found)
        #expect(start.instant == RFC3339.instant("2024-01-15T05:00:00Z") && start.externalID == nil)
        let other = times.start("yesterday", series: "a")
        #expect(other == nil)
        #expect(times.end("never", after: start.instant) == nil)
    }

    @Test("Of an hour that occurs twice, a time that is not later than the one before is the second")
    func autumn() throws {
        var times = WallClockTimes(clock: berlin)
        let shown = ["2024-10-27T02:00", "2024-10-27T02:30", "2024-10-27T02:00", "2024-10-27T02:30"]
        let found = shown.compactMap { times.start($0, series: "a") }
        let expected = ["00:00", "00:30", "01:00", "01:30"].map { RFC3339.instant("2024-10-27T\($0):00Z") }
        #expect(found.map(\.instant) == expected)
        #expect(Set(found.map(\.externalID)).count == 4)
        // Another series has its own order.
        let other = times.start("2024-10-27T02:15", series: "b")
        #expect(other?.instant == RFC3339.instant("2024-10-27T00:15:00Z"))
        let second = try #require(expected[2])
        #expect(times.end("2024-10-27T02:15", after: second) == RFC3339.instant("2024-10-27T01:15:00Z"))
    }

    @Test("Identifiers do not depend on the zone")
    func zones() {
        var (here, there) = (WallClockTimes(clock: berlin), WallClockTimes(clock: DayClock(home: .utc)))
        let texts = ["2024-10-27T02:30", "2024-10-27T02:10"]
        for text in texts {
            let (one, other) = (here.start(text, series: "a"), there.start(text, series: "a"))
            #expect(one?.externalID == other?.externalID && one?.externalID != nil)
        }
    }
}
