import HealthSyncDomain
import Testing

@Suite("The zones that follow from the first instants of days")
struct DayStartsTests {
    private func clock(
        _ days: DayRange, by own: DayClock, usual: String = "UTC", without: Set<CalendarDay> = [],
        changing: [CalendarDay: Instant] = [:]
    ) throws -> DayClock {
        var starts: [CalendarDay: Instant] = [:]
        for day in days where !without.contains(day) { starts[day] = changing[day] ?? own.start(of: day) }
        return DayStarts(starts).clock(usual: try ZoneClocks.clock(usual)) { name throws(UnknownTimeZone) in
            try ZoneRules(identifier: name)
        }
    }

    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    private func days(_ first: String, _ last: String) throws -> DayRange {
        try #require(DayRange(day(first), through: day(last)))
    }

    @Test(
        "Every hour of every day is that of the user's zone",
        arguments: [
            "Europe/Paris", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Apia", "Asia/Kathmandu", "America/Santiago",
            "Australia/Lord_Howe", "America/St_Johns",
        ])
    func zones(name: String) throws {
        let own = try ZoneClocks.clock(name)
        let days = try days("2023-01-10", "2024-12-20")
        let found = try clock(days, by: own)
        #expect(days.allSatisfy { found.hours(of: $0) == own.hours(of: $0) } && found.residences.isEmpty)
    }

    @Test("The usual zone stays if it fits, and without days")
    func usual() throws {
        let paris = try ZoneClocks.clock("Europe/Paris")
        #expect(try clock(days("2024-01-01", "2024-12-31"), by: paris, usual: "Europe/Paris") == paris)
        let winter = try days("2024-01-01", "2024-02-01")
        #expect(try clock(winter, by: paris, usual: "Africa/Lagos").home.identifier == "Africa/Lagos")
        let none = DayStarts([:]).clock(usual: paris) { name throws(UnknownTimeZone) in try ZoneRules(identifier: name)
        }
        #expect(none == paris)
    }

    @Test("A stay elsewhere is found, also across the date line")
    func stays() throws {
        let tokyo = DayClock.Residence(firstDay: try day("2024-04-01"), rules: try ZoneRules(identifier: "Asia/Tokyo"))
        let back = DayClock.Residence(
            firstDay: try day("2024-04-20"), rules: try ZoneRules(identifier: "America/Los_Angeles"))
        let own = DayClock(home: back.rules, residences: [tokyo, back])
        let all = try days("2024-01-01", "2024-12-31")
        let found = try clock(all, by: own)
        let differing = all.filter { found.hours(of: $0) != own.hours(of: $0) }
        #expect(differing.count <= 2, "\(differing)")
    }

    @Test("A day that begins at no sensible instant changes nothing for the others")
    func nonsense() throws {
        let own = try ZoneClocks.clock("Asia/Kathmandu")
        let all = try days("2024-01-01", "2024-03-01")
        let odd = try day("2024-02-02")
        let found = try clock(all, by: own, changing: [odd: Instant(seconds: 17)])
        #expect(all.allSatisfy { found.hours(of: $0) == own.hours(of: $0) })
        let nowhere = Dictionary(uniqueKeysWithValues: all.map { ($0, Instant(seconds: 17)) })
        #expect(try clock(all, by: own, usual: "Europe/Paris", changing: nowhere) == ZoneClocks.clock("Europe/Paris"))
    }
}
