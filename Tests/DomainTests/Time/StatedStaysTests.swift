import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct StatedStaysTests {
    /// Records that start on the hour of the zone's wall clock from 8:00 on.
    private struct Day {
        let day: String
        let zone: String
        var records = 5
        var fromHour: Int64 = 8
    }

    private func stays(_ days: [Day]) throws -> StatedStays {
        var stated = StatedZones(rules: ZoneRules.init(identifier:))
        for day in days {
            let zone = DayClock(home: try ZoneRules(identifier: day.zone))
            let midnight = zone.start(of: try RandomSteps.day(day.day)).milliseconds
            let starts = (0..<day.records).map { midnight + (day.fromHour + Int64($0)) * 3_600_000 }
            stated.count(starts: starts, zones: starts.map { _ in 1 }, names: [day.zone])
        }
        return StatedStays(stated)
    }

    private func proposal(_ days: [Day], home: String, _ residences: [(String, String)] = []) throws -> [String]? {
        let clock = DayClock(
            home: try ZoneRules(identifier: home),
            residences: try residences.map { day, zone in
                DayClock.Residence(firstDay: try RandomSteps.day(day), rules: try ZoneRules(identifier: zone))
            })
        return try stays(days).proposal(for: clock)?.map { "\($0.firstDay) \($0.zone)" }
    }

    private static let journey = [
        Day(day: "2024-01-01", zone: "Europe/Berlin"), Day(day: "2024-01-02", zone: "Asia/Tokyo"),
        Day(day: "2024-01-03", zone: "Asia/Tokyo"), Day(day: "2024-01-04", zone: "Europe/Berlin"),
    ]

    @Test func aJourneyIsAStayAndAReturn() throws {
        let both = ["2024-01-02 Asia/Tokyo", "2024-01-04 Europe/Berlin"]
        #expect(try proposal(Self.journey, home: "Europe/Berlin") == both)
        #expect(
            try proposal(Self.journey, home: "Asia/Tokyo")
                == ["2024-01-01 Europe/Berlin", "2024-01-02 Asia/Tokyo", "2024-01-04 Europe/Berlin"])
        #expect(
            try proposal(
                Self.journey, home: "Europe/Berlin", [("2024-01-02", "Asia/Tokyo"), ("2024-01-04", "Europe/Paris")])
                == nil)
    }

    @Test func staysOnDaysWithoutRecordsRemain() throws {
        let configured = [
            ("2023-05-01", "America/Lima"), ("2023-06-01", "Europe/Berlin"), ("2024-01-03", "Asia/Seoul"),
        ]
        #expect(
            try proposal(Self.journey, home: "Europe/Berlin", configured + [("2024-02-01", "Asia/Dubai")]) == [
                "2023-05-01 America/Lima", "2023-06-01 Europe/Berlin", "2024-01-02 Asia/Tokyo",
                "2024-01-04 Europe/Berlin",
                "2024-02-01 Asia/Dubai",
            ])
    }

    /// The boundary of `fewestRecordsOfOneDay`.
    @Test(arguments: [(3, 1, false), (4, 1, true), (1, 1, false), (1, 2, true)])
    func oneDayWithFewRecordsIsNoStay(records: Int, days: Int, isStay: Bool) throws {
        let home = [1, 2, 9].map { Day(day: "2024-01-0\($0)", zone: "Europe/Berlin") }
        let away = (0..<days).map { Day(day: "2024-01-0\(4 + $0)", zone: "Asia/Tokyo", records: records) }
        let expected = ["2024-01-04 Asia/Tokyo", "2024-01-09 Europe/Berlin"]
        #expect(try proposal(home + away, home: "Europe/Berlin") == (isStay ? expected : nil))
    }

    @Test func mostRecordsOfADayDecide() throws {
        func change(_ own: Int, _ next: Int) throws -> [String]? {
            try proposal(
                [
                    Day(day: "2024-01-01", zone: "Europe/Berlin"),
                    Day(day: "2024-01-02", zone: "Europe/Berlin", records: own),
                    Day(day: "2024-01-02", zone: "Asia/Tokyo", records: next),
                    Day(day: "2024-01-03", zone: "Asia/Tokyo"),
                ], home: "Europe/Berlin")
        }
        #expect(try change(5, 6) == ["2024-01-02 Asia/Tokyo"])
        #expect(try change(6, 6) == ["2024-01-03 Asia/Tokyo"])
        // On the first day the last record decides among equally many.
        let first = [
            Day(day: "2024-01-01", zone: "Asia/Tokyo"), Day(day: "2024-01-01", zone: "Europe/Berlin"),
            Day(day: "2024-01-02", zone: "Europe/Berlin"),
        ]
        #expect(try proposal(first, home: "Europe/Berlin") == nil)
    }

    @Test(arguments: ["US/Eastern", "America/Toronto"])
    func zonesThatShowTheSameTimeAreOne(alias: String) throws {
        let days = [Day(day: "2024-01-01", zone: "America/New_York"), Day(day: "2024-01-02", zone: alias)]
        #expect(try proposal(days, home: "America/New_York") == nil)
        #expect(try proposal(days, home: alias) == nil)
        #expect(try proposal(days, home: "America/Caracas") == ["2024-01-01 \(min(alias, "America/New_York"))"])
    }

    @Test(arguments: ["GMT", "UTC", "EST", "+02:00", "Nowhere/Land", "", "../x"])
    func otherNamesAreNoEvidence(name: String) {
        var stated = StatedZones(rules: ZoneRules.init(identifier:))
        stated.count(starts: Array(repeating: 0, count: 9), zones: Array(repeating: 1, count: 9), names: [name])
        #expect(StatedStays(stated).stays.isEmpty && StatedStays(stated).main == nil)
    }

    @Test func countsOfSeveralSourcesAddUp() throws {
        var sum = StatedZones(rules: ZoneRules.init(identifier:))
        for _ in 0..<4 {
            var one = StatedZones(rules: ZoneRules.init(identifier:))
            one.count(starts: [0, 0, 0], zones: [0, 1, 2], names: ["Asia/Tokyo", "GMT"])
            sum.add(one)
        }
        #expect(StatedStays(sum).main?.text == "4 records state Asia/Tokyo")
    }

    /// The boundary of `mostNames`.
    @Test func onlyTheFirstThousandNamesAreLookedUp() {
        func main(after others: Int) -> String? {
            var stated = StatedZones(rules: ZoneRules.init(identifier:))
            let names = (0..<others).map { "Zone/\($0)" } + ["Asia/Tokyo"]
            for name in names { stated.count(starts: [0, 1, 2, 3], zones: [1, 1, 1, 1], names: [name]) }
            return StatedStays(stated).main?.zone.identifier
        }
        #expect(main(after: 999) == "Asia/Tokyo")
        #expect(main(after: 1_000) == nil)
    }

    @Test func aZoneThatNoStayIsInContradicts() throws {
        let stays = try stays(Self.journey + [Day(day: "2024-01-05", zone: "Europe/Berlin")])
        func contradiction(_ zone: String) throws -> String? {
            stays.contradiction(to: DayClock(home: try ZoneRules(identifier: zone)))?.text
        }
        #expect(try contradiction("Africa/Lagos") == "15 records state Europe/Berlin")
        #expect(try contradiction("Europe/Berlin") == nil)
        #expect(try contradiction("Asia/Tokyo") == nil)
    }
}
