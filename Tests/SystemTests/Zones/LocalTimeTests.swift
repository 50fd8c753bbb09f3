import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestTools
import Testing

/// Times without an offset, compared with Python's zoneinfo.
struct LocalTimeTests {
    @Test(arguments: [
        "Europe/Paris", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Beirut",
        "Antarctica/Troll", "Africa/Casablanca", "Pacific/Kwajalein", "Asia/Tehran", "America/St_Johns",
    ])
    func aroundChangesOfTheClockTimesAreThoseOfZoneinfo(zone: String) async throws {
        let clock = DayClock(home: try SystemClock(environment: [:]).zoneRules(named: zone))
        let lines = try await Peer.lines(of: "zones/resolve_local_times.py", [zone, "1985", "2036"])
        #expect(lines.count > 200)
        var wrong: [String] = []
        for line in lines {
            let parts = line.split(separator: " ")
            let time = try #require(LocalTime(parts[0]))
            let expected = Instant(seconds: try #require(Int64(parts[1])))
            if time.instant(in: clock) != expected { wrong.append(String(line)) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func aStayInAnotherZoneAppliesFromItsFirstDay() throws {
        let zones = SystemClock(environment: [:])
        let clock = DayClock(
            home: try zones.zoneRules(named: "Europe/Paris"),
            residences: [.init(firstDay: try day("2024-01-15"), rules: try zones.zoneRules(named: "Asia/Tokyo"))])
        #expect(LocalTime("2024-01-14 15:00")?.instant(in: clock) == RFC3339.instant("2024-01-14T15:00:00+01:00"))
        #expect(
            LocalTime("2024-01-15 08:00:00.5")?.instant(in: clock) == RFC3339.instant("2024-01-15T08:00:00.5+09:00"))
    }

    @Test func onlyTimesWithoutAnOffsetAreParsed() throws {
        #expect(LocalTime("2024-02-29")?.milliseconds == 0)
        #expect(LocalTime("2023-12-31T23:59:60")?.day == (try day("2024-01-01")))
        for text in [
            "", "2024", "2023-02-29", "2024-01-15T", "2024-01-15T25:00", "2024-01-15T08", "2024-01-15T08:00Z",
            "2024-01-15T08:00:00+01:00", "2024-01-15x08:00", "2024-01-15T08:00:00." + String(repeating: "0", count: 40),
        ] {
            #expect(LocalTime(text) == nil, "\(text)")
        }
        #expect(LocalTime(day: try day("2024-01-15"), milliseconds: 86_400_000) == nil)
        #expect(LocalTime(day: try day("2024-01-15"), milliseconds: -1) == nil)
    }

    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }
}
