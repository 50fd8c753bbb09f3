import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("Hours by name")
struct DayHoursTests {
    private func hours(_ zone: String, _ day: String) throws -> DayHours {
        DayHours(of: try RandomSteps.day(day), clock: try ZoneClocks.clock(zone))
    }

    @Test(
        "Hours are named by the wall clock and have their actual duration",
        arguments: [
            ("Asia/Kolkata", "2024-03-31", "0 1 2 3", 24.0), ("Europe/Paris", "2024-03-31", "0 1 3 4", 23),
            ("Europe/Paris", "2024-10-27", "0 1 2a 2b 3", 25), ("America/New_York", "2024-03-10", "0 1 3 4", 23),
            ("America/New_York", "2024-11-03", "0 1a 1b 2", 25),
            ("Australia/Lord_Howe", "2024-04-07", "0 1a 1b 2 3", 24.5),
            ("Australia/Lord_Howe", "2024-10-06", "0 1 2 3", 23.5),
        ])
    func names(zone: String, day: String, expected: String, length: Double) throws {
        let hours = try hours(zone, day)
        #expect(hours.hours.map(\.name).joined(separator: " ").hasPrefix(expected + " "))
        #expect(hours.hours.last?.name == "23")
        let whole = try hours.ranges(of: "0-23")
        #expect(whole.count == 1)
        #expect(whole.first?.milliseconds == Int64(length * 3_600_000))
        #expect(whole.first == (try ZoneClocks.clock(zone)).interval(of: hours.day))
    }

    @Test("Adjacent hours form one interval; order and repetition do not matter")
    func ranges() throws {
        let hours = try hours("Europe/Paris", "2024-01-15")
        let start = try #require(RFC3339.instant("2024-01-15T00:00:00+01:00"))
        func stretch(_ from: Int64, _ to: Int64) -> InstantRange {
            InstantRange(start: start.advanced(bySeconds: from * 3600), end: start.advanced(bySeconds: to * 3600))
        }
        #expect(try hours.ranges(of: "8-11,17") == [stretch(8, 12), stretch(17, 18)])
        #expect(try hours.ranges(of: " 17 , 9-11,8, 10") == [stretch(8, 12), stretch(17, 18)])
        #expect(try hours.ranges(of: "08") == [stretch(8, 9)])
    }

    @Test("A letter selects one of the repeated hours; a range across them includes both")
    func repeated() throws {
        let hours = try hours("Europe/Paris", "2024-10-27")
        let first = try #require(RFC3339.instant("2024-10-27T02:00:00+02:00"))
        let second = try #require(RFC3339.instant("2024-10-27T02:00:00+01:00"))
        #expect(try hours.ranges(of: "2a") == [InstantRange(start: first, end: second)])
        #expect(try hours.ranges(of: "2B") == [InstantRange(start: second, end: second.advanced(bySeconds: 3600))])
        #expect(try hours.ranges(of: "1-3").first?.milliseconds == 4 * 3_600_000)
    }

    @Test(
        "Ambiguous and nonexistent hours are rejected with a correction",
        arguments: [
            ("2024-10-27", "2", "hours: 2024-10-27 has the hour 2 2 times; write 2a or 2b"),
            ("2024-10-27", "2-4", "hours: 2024-10-27 has the hour 2 2 times; write 2a or 2b"),
            (
                "2024-03-31", "2",
                "hours: 2024-03-31 has no hour 2; its hours are 0 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"
            ),
            ("2024-01-15", "11-8", "hours: \"11-8\" ends before it begins; give the earlier hour first"),
        ])
    func refused(day: String, text: String, expected: String) throws {
        let hours = try hours("Europe/Paris", day)
        let failure = #expect(throws: SyncFailure.self) { try hours.ranges(of: text) }
        #expect(failure?.description == expected)
        #expect(failure?.code == .usage)
    }

    @Test(
        "Malformed hours are rejected",
        arguments: ["", ",", "8,", "-", "8-", "-8", "24", "8-9-10", "a", "8a", "1e1", "٨", "100"])
    func nonsense(text: String) throws {
        let hours = try hours("Europe/Paris", "2024-01-15")
        #expect(throws: SyncFailure.self) { try hours.ranges(of: text) }
    }
}
