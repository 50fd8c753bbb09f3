import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

@Suite("The hour of the daily run") struct DailyHourTests {
    private let paris: DayClock
    private let hour: DailyHour

    init() throws {
        paris = DayClock(home: try ManualTime().zoneRules(named: "Europe/Paris"))
        hour = try #require(DailyHour("04:30"))
    }

    private func instant(_ text: String) throws -> Instant { try #require(RFC3339.instant(text)) }

    @Test("is the next time the wall clock shows it")
    func followsTheWallClock() throws {
        let due = try instant("2026-01-10T04:30:00+01:00")
        #expect(hour.next(after: try instant("2026-01-10T04:29:59+01:00"), by: paris) == due)
        #expect(hour.next(after: try instant("2026-01-09T04:30:00+01:00"), by: paris) == due)
    }

    @Test("follows a change of the offset in the night")
    func followsDaylightSaving() throws {
        #expect(
            hour.next(after: try instant("2026-03-28T12:00:00+01:00"), by: paris)
                == (try instant("2026-03-29T04:30:00+02:00")))
        #expect(
            hour.next(after: try instant("2026-10-24T12:00:00+02:00"), by: paris)
                == (try instant("2026-10-25T04:30:00+01:00")))
    }

    @Test("exists on a day that skips it")
    func existsWhenSkipped() throws {
        let skipped = try #require(DailyHour("02:30"))
        let next = skipped.next(after: try instant("2026-03-28T12:00:00+01:00"), by: paris)
        #expect(next == (try instant("2026-03-29T03:30:00+02:00")))
    }

    @Test("is written as HH:MM", arguments: ["", "4", "24:00", "12:60", "1:2", "-1:00", "04:30:00", "0４:30"])
    func rejectsOtherTexts(_ text: String) { #expect(DailyHour(text) == nil) }
}
