import Foundation
import HealthSyncDomain
import HealthSyncTestTools
import Testing

/// Days judged by Python's zoneinfo, zone by zone.
struct ZoneDaysTests {
    /// Names without a place. Since version 2024b of the time zone database they are links to cities whose clocks went
    /// otherwise in earlier years; Foundation's copy and the system's need not be of one version.
    private static let namesWithoutPlace: Set<String> = [
        "EET", "WET", "MET", "CET", "EST", "MST", "HST", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT",
    ]

    @Test func everyZonesDaysBeginWhereZoneinfoSays() async throws {
        let judged = try await PythonZones.transitions()
        try #require(judged.count > 300)
        var wrong: [String] = []
        for (name, transitions) in judged {
            guard let rules = try? ZoneRules(identifier: name) else {
                wrong.append("\(name) is not known")
                continue
            }
            let first = Self.namesWithoutPlace.contains(name) ? "1997-01-01" : "1970-01-01"
            let since = CalendarDay(first)?.utcStart.seconds ?? 0
            for (index, transition) in transitions.enumerated() where transition.instant > since {
                let before = transitions[index - 1].offset
                let at = Instant(seconds: transition.instant)
                if rules.offsetSeconds(at: at) != transition.offset
                    || rules.offsetSeconds(at: at.advanced(bySeconds: -1)) != before
                {
                    wrong.append("\(name) at \(RFC3339.string(at))")
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "America/Sao_Paulo",
        "Africa/Cairo", "Asia/Beirut", "America/Havana", "Antarctica/Troll", "Africa/Casablanca", "Pacific/Kwajalein",
    ])
    func daysBeginWhereZoneinfoSays(zone: String) async throws {
        let rules = try ZoneRules(identifier: zone)
        let clock = DayClock(home: rules)
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
}
