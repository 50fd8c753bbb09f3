import Foundation
import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestTools
import Testing

/// Days compared with Python's zoneinfo, zone by zone.
struct ZoneDaysTests {
    @Test func daysOfEveryZoneBeginAsInZoneinfo() async throws {
        let expected = try await PythonZones.transitions()
        try #require(expected.count > 300)
        #expect(Self.differences(from: expected, in: SystemClock(environment: [:])) == [])
    }

    /// Files without transitions after the last rule change, whose footers cover the years since.
    @Test func slimFilesAreReadLikeZoneinfo() async throws {
        let folder = try TemporaryFolder()
        let database = "/usr/share/zoneinfo/tzdata.zi"
        try #require(FileManager.default.fileExists(atPath: database))
        _ = try await BlockingThread.run {
            try Command(["/usr/sbin/zic", "-b", "slim", "-d", folder.path, database]).output()
        }
        let expected = try await PythonZones.transitions(in: folder.path)
        try #require(expected.count > 300)
        #expect(Self.differences(from: expected, in: SystemClock(environment: ["TZDIR": folder.path])) == [])
    }

    /// Rules that no zone has today, written according to the specification: all versions, quoted names, days by
    /// number, hours beyond a day, daylight saving time all year or below standard time.
    @Test func unusualFilesAreReadLikeZoneinfo() async throws {
        let folder = try TemporaryFolder()
        _ = try await Peer.output(of: "zones/write_odd_zones.py", [folder.path])
        let expected = try await PythonZones.transitions(in: folder.path)
        try #require(expected.count >= 16)
        let clock = SystemClock(environment: ["TZDIR": folder.path])
        // zoneinfo interprets day 59 as the 59th, POSIX and glibc as the 60th.
        #expect(Self.differences(from: expected.filter { $0.key != "Odd/Counted" }, in: clock) == [])
        let counted = try clock.zoneRules(named: "Odd/Counted")
        #expect([5_086_799, 5_086_800].map { counted.offsetSeconds(at: Instant(seconds: $0)) } == [10_800, 14_400])
        #expect(clock.zoneDatabase(of: "Odd/Julian") == ZoneDatabase(folder: folder.path, version: "2999z"))
    }

    /// The files of `right/` count leap seconds.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/right/Europe/Paris")))
    func leapSecondsAreLeftOut() throws {
        let clock = SystemClock(environment: [:])
        let (plain, right) = (
            try clock.zoneRules(named: "Europe/Paris"), try clock.zoneRules(named: "right/Europe/Paris")
        )
        for day in Int64(0)..<18_000 {
            let noon = Instant(seconds: day * 86_400 + 43_200)
            #expect(plain.offsetSeconds(at: noon) == right.offsetSeconds(at: noon))
        }
        let change = try #require(RFC3339.instant("2024-03-31T01:00:00Z"))
        #expect(right.offsetSeconds(at: change) == 7_200)
        #expect(right.offsetSeconds(at: change.advanced(bySeconds: -1)) == 3_600)
    }

    @Test(arguments: [
        "Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "America/Sao_Paulo",
        "Africa/Cairo", "Asia/Beirut", "America/Havana", "Antarctica/Troll", "Africa/Casablanca", "Pacific/Kwajalein",
    ])
    func daysBeginAsInZoneinfo(zone: String) async throws {
        let clock = DayClock(home: try SystemClock(environment: [:]).zoneRules(named: zone))
        let lines = try await Peer.lines(of: "zones/check_zone_days.py", [zone, "1985-01-01", "2037-12-31"])
        #expect(lines.count == 19_358)
        var wrong: [String] = []
        for line in lines {
            let parts = line.split(separator: " ")
            let day = try #require(CalendarDay(parts[0]))
            let start = Instant(seconds: try #require(Int64(parts[1])))
            if clock.start(of: day) != start { wrong.append(String(line)) }
            let next = clock.start(of: day.advanced(by: 1))
            if start < next, clock.day(of: start) != day || clock.day(of: next.advanced(byMilliseconds: -1)) != day {
                wrong.append("ends of \(line)")
            }
        }
        #expect(wrong.isEmpty)
    }

    private static func differences(
        from expected: [String: [PythonZones.Transition]], in clock: SystemClock
    ) -> [String] {
        var wrong: [String] = []
        for (name, transitions) in expected {
            guard let rules = try? clock.zoneRules(named: name) else {
                wrong.append("\(name) is not known")
                continue
            }
            for (index, transition) in transitions.enumerated() {
                let at = Instant(seconds: transition.instant)
                let before = index == 0 ? nil : transitions[index - 1].offset
                if rules.offsetSeconds(at: at) != transition.offset
                    || before.map({ $0 != rules.offsetSeconds(at: at.advanced(bySeconds: -1)) }) ?? false
                {
                    wrong.append("\(name) at \(RFC3339.string(at))")
                }
            }
            let end = Instant(seconds: PythonZones.end)
            if rules.offsetSeconds(at: end) != transitions.last?.offset { wrong.append("\(name) at the end") }
        }
        return wrong
    }
}
