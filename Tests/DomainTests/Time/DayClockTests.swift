import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct DayClockTests {
    private func clock(_ home: String, _ stays: [(String, String)] = []) throws -> DayClock {
        DayClock(
            home: try ZoneRules(identifier: home),
            residences: try stays.map { day, zone in
                DayClock.Residence(firstDay: try RandomSteps.day(day), rules: try ZoneRules(identifier: zone))
            })
    }

    @Test(arguments: ["", "Mars/Olympus", "Europe/Pariss", "../etc/passwd", "UTC\n"])
    func anUnknownZoneIsAnError(name: String) {
        #expect(throws: UnknownTimeZone.self) { try ZoneRules(identifier: name) }
    }

    /// Its digest is stored; another text would derive all days again.
    @Test func theCanonicalTextStays() {
        let rules = ZoneRules(identifier: "Test/Zone", transitions: [-2_000_000_000, 0], offsets: [-1_800, 3_600, 0])
        #expect(rules.canonicalText == "Test/Zone [-2000000000, 0] [-1800, 3600, 0]")
        #expect(ZoneRules.utc.canonicalText == "UTC [] [0]")
    }

    @Test(arguments: [
        ("Europe/Paris", "2024-03-31", 23), ("Europe/Paris", "2024-10-27", 25), ("Asia/Kolkata", "2024-03-31", 24),
        ("Pacific/Apia", "2011-12-30", 0), ("America/Sao_Paulo", "2018-11-04", 23),
    ])
    func daysHaveTheRightNumberOfHours(zone: String, day: String, hours: Int) throws {
        let clock = try clock(zone)
        let buckets = clock.hours(of: try RandomSteps.day(day))
        #expect(buckets.count == hours)
        #expect(buckets.allSatisfy { $0.milliseconds == 3_600_000 })
    }

    /// On 2016-05-01 clocks in Caracas went from 02:30 to 03:00; on 2007-12-09 from 03:00 back to 02:30.
    @Test(arguments: [
        ("America/Caracas", "2016-05-01", "2016-05-01T06:30:00Z", "2016-05-01T07:00:00Z", "2016-05-01T08:00:00Z"),
        ("America/Caracas", "2007-12-09", "2007-12-09T07:00:00Z", "2007-12-09T07:30:00Z", "2007-12-09T08:30:00Z"),
        ("Australia/Lord_Howe", "2024-10-06", "2024-10-05T15:30:00Z", "2024-10-05T16:00:00Z", "2024-10-05T17:00:00Z"),
    ])
    func anHourInWhichClocksChangeEndsThere(
        zone: String, day: String, start: String, change: String, end: String
    ) throws {
        let hours = try clock(zone).hours(of: try RandomSteps.day(day)).map {
            [RFC3339.string($0.start), RFC3339.string($0.end)]
        }
        #expect(hours.contains([start, change]) && hours.contains([change, end]), "\(hours)")
    }

    @Test(arguments: [
        ("Pacific/Pago_Pago", "Pacific/Kiritimati"), ("Pacific/Kiritimati", "Pacific/Pago_Pago"),
        ("Asia/Tokyo", "America/Los_Angeles"), ("Europe/Paris", "Asia/Kolkata"), ("Pacific/Apia", "Pacific/Apia"),
        ("Australia/Lord_Howe", "America/St_Johns"),
    ])
    func everyInstantIsInOneDayOneHourAndOneNight(home: String, abroad: String) throws {
        let clock = try clock(home, [("2011-12-20", abroad), ("2011-12-21", home), ("2012-03-31", abroad)])
        let days = try #require(
            DayRange(try RandomSteps.day("2011-12-15"), through: try RandomSteps.day("2012-04-05")))
        var end = clock.start(of: days.first)
        var nightEnd = clock.night(of: days.first).start
        for day in days {
            #expect(clock.start(of: day) == end)
            #expect(clock.night(of: day).start == nightEnd)
            for hour in clock.hours(of: day) {
                #expect(hour.start == end)
                #expect(!hour.isEmpty)
                end = hour.end
            }
            #expect(clock.interval(of: day).end == end)
            nightEnd = clock.night(of: day).end
            let (whole, night) = (clock.interval(of: day), clock.night(of: day))
            if !whole.isEmpty {
                #expect(clock.day(of: whole.start) == day)
                #expect(clock.day(of: whole.end.advanced(byMilliseconds: -1)) == day)
            }
            if !night.isEmpty {
                #expect(clock.nightDay(of: night.start) == day)
                #expect(clock.nightDay(of: night.end.advanced(byMilliseconds: -1)) == day)
            }
        }
    }

    @Test func travelMovesTheDays() throws {
        let clock = try clock("Europe/Paris", [("2023-07-01", "Asia/Tokyo"), ("2023-07-15", "Europe/Paris")])
        let before = try RandomSteps.day("2023-06-30")
        #expect(RFC3339.string(clock.start(of: before)) == "2023-06-29T22:00:00Z")
        #expect(RFC3339.string(clock.start(of: before.advanced(by: 1))) == "2023-06-30T15:00:00Z")
        #expect(clock.interval(of: before).milliseconds == 17 * 3_600_000)
        #expect(clock.offsetSeconds(at: clock.start(of: before.advanced(by: 2))) == 9 * 3600)
    }

    @Test(arguments: [
        ("Pacific/Apia", "2011-12-30"), ("Pacific/Kwajalein", "1993-08-21"), ("Pacific/Kiritimati", "1994-12-31"),
        ("Pacific/Enderbury", "1994-12-31"), ("Pacific/Fakaofo", "2011-12-30"),
    ])
    func theNightAcrossASkippedDayBelongsToTheDayOnWhichItEnds(zone: String, skipped: String) throws {
        let clock = try clock(zone)
        let skipped = try RandomSteps.day(skipped)
        try #require(clock.interval(of: skipped).isEmpty)
        let (before, after) = (skipped.advanced(by: -1), skipped.advanced(by: 1))
        #expect(clock.night(of: skipped).isEmpty)
        #expect(clock.night(of: after) == InstantRange(start: clock.noon(of: before), end: clock.noon(of: after)))
        #expect(clock.night(of: after).milliseconds == 24 * 3_600_000)
        #expect(clock.nightDay(of: clock.start(of: after).advanced(bySeconds: -7_200)) == after)
        #expect(clock.nightDay(of: clock.start(of: after).advanced(bySeconds: 7_200)) == after)
    }

    @Test(arguments: [
        ("Europe/Paris", "2024-10-27T00:00:00Z", "2024-10-27T02:00:00Z"),
        ("Australia/Lord_Howe", "2024-04-06T14:30:00Z", "2024-04-06T15:30:00Z"),
        ("America/New_York", "2024-11-03T05:00:00Z", "2024-11-03T07:00:00Z"),
    ])
    func onlyTheRepeatedHourIsShownTwice(zone: String, first: String, end: String) throws {
        let clock = try clock(zone)
        let begin = try #require(RFC3339.instant(first))
        let length = try #require(RFC3339.instant(end)).seconds - begin.seconds
        // Ten days around it, in steps of five minutes.
        for second in stride(from: Int64(-432_000), to: 432_000, by: 300) {
            #expect(clock.showsTwice(begin.advanced(bySeconds: second)) == (0..<length).contains(second), "\(second)")
        }
        let spring = try #require(RFC3339.instant("2024-03-30T00:00:00Z"))
        for hour in Int64(0)..<48 { #expect(!clock.showsTwice(spring.advanced(bySeconds: hour * 3_600))) }
    }
}
