/// Says which instants make a day, an hour and a night for one person.
///
/// The offset printed in a health file is the phone's at the moment of export and not where the person was, so days
/// come from zones: one home zone and, where the person states it, other zones from given days on.
public struct DayClock: Sendable, Hashable {
    /// From `firstDay` on the person lived by the clocks of `rules`.
    public struct Residence: Sendable, Hashable {
        /// The first calendar day lived in the zone.
        public let firstDay: CalendarDay
        /// The zone's rules.
        public let rules: ZoneRules

        /// A stay in the zone of `rules` from `firstDay` on.
        public init(firstDay: CalendarDay, rules: ZoneRules) {
            self.firstDay = firstDay
            self.rules = rules
        }
    }

    /// The zone that holds before the first residence.
    public let home: ZoneRules
    /// Later stays, by first day.
    public let residences: [Residence]

    /// A clock for a person at `home` who stayed elsewhere as `residences` says.
    public init(home: ZoneRules, residences: [Residence] = []) {
        self.home = home
        self.residences = residences.sorted { $0.firstDay < $1.firstDay }
    }

    /// Whether every day is the same stretch of time by `other`, whatever the zones are called.
    package func countsDays(as other: DayClock) -> Bool {
        home.showsTime(of: other.home) && residences.count == other.residences.count
            && zip(residences, other.residences).allSatisfy { own, their in
                own.firstDay == their.firstDay && own.rules.showsTime(of: their.rules)
            }
    }

    /// Whether `day` is the same stretch of time by `other`.
    package func agrees(with other: DayClock, on day: CalendarDay) -> Bool {
        interval(of: day) == other.interval(of: day)
    }

    /// The rules that hold on `day`.
    public func rules(on day: CalendarDay) -> ZoneRules {
        residences.last { $0.firstDay <= day }?.rules ?? home
    }

    /// The first instant of `day`.
    ///
    /// Where a journey over the date line would begin a day before the one before it, the day begins with that one,
    /// which then has no length.
    public func start(of day: CalendarDay) -> Instant {
        let own = rules(on: day).start(of: day)
        return isArrival(day) ? max(own, start(of: day.advanced(by: -1))) : own
    }

    /// The half-open interval from the start of `day` to the start of the next; 23 to 25 hours in one zone.
    public func interval(of day: CalendarDay) -> InstantRange {
        InstantRange(start: start(of: day), end: start(of: day.advanced(by: 1)))
    }

    /// The interval from the start of the first to the end of the last day.
    public func interval(of days: DayRange) -> InstantRange {
        InstantRange(start: start(of: days.first), end: start(of: days.last.advanced(by: 1)))
    }

    /// The one day whose interval holds `instant`.
    public func day(of instant: Instant) -> CalendarDay {
        var day = CalendarDay(utcDayOf: instant).advanced(by: -2)
        while start(of: day.advanced(by: 1)) <= instant { day = day.advanced(by: 1) }
        return day
    }

    /// The hour buckets of `day`: hours of absolute time that start on the local hour. The first may begin later and
    /// the last end earlier where the zone's midnight is not on the hour; the repeated hour of autumn is two buckets.
    public func hours(of day: CalendarDay) -> [InstantRange] {
        let whole = interval(of: day)
        let rules = rules(on: day)
        var hours: [InstantRange] = []
        var start = whole.start
        while start < whole.end {
            let wall = start.seconds + rules.offsetSeconds(at: start)
            let intoHour = wall - wall.flooredQuotient(by: 3600) * 3600
            let end = min(Instant(seconds: start.seconds + 3600 - intoHour), whole.end)
            hours.append(InstantRange(start: start, end: end))
            start = end
        }
        return hours
    }

    /// The night of `day`: noon of the day before to noon of `day`, by the wall clock of each.
    public func night(of day: CalendarDay) -> InstantRange {
        InstantRange(start: noon(of: day.advanced(by: -1)), end: noon(of: day))
    }

    /// The night whose interval holds `instant`.
    public func nightDay(of instant: Instant) -> CalendarDay {
        var day = day(of: instant)
        // A day that was skipped has the noon of the day before, and so its night is empty.
        while instant >= noon(of: day) { day = day.advanced(by: 1) }
        while instant < noon(of: day.advanced(by: -1)) { day = day.advanced(by: -1) }
        return day
    }

    /// Seconds east of UTC on the person's wall clock at `instant`.
    public func offsetSeconds(at instant: Instant) -> Int64 {
        rules(on: day(of: instant)).offsetSeconds(at: instant)
    }

    /// Whether the person's wall clock shows at another instant too what it shows at `instant`, because it was put back.
    public func showsTwice(_ instant: Instant) -> Bool {
        let offset = offsetSeconds(at: instant)
        return [Int64(-86_400), 86_400].contains { aside in
            let other = offsetSeconds(at: instant.advanced(bySeconds: aside))
            return other != offset && offsetSeconds(at: instant.advanced(bySeconds: offset - other)) == other
        }
    }

    /// The instant at which the wall clock shows 12:00 on `day`, never before the noon of the day before; of a day that
    /// was skipped the noon of the day before, so that the night over it belongs to the day on which it ends.
    ///
    /// No zone changes its clocks around noon, so there is exactly one such instant on a day that the zone has.
    public func noon(of day: CalendarDay) -> Instant {
        if interval(of: day).isEmpty { return noon(of: day.advanced(by: -1)) }
        let rules = rules(on: day)
        let wallNoon = Int64(day.ordinal) * 86_400 + 43_200
        let guess = Instant(seconds: wallNoon - rules.offsetSeconds(at: Instant(seconds: wallNoon)))
        let own = Instant(seconds: wallNoon - rules.offsetSeconds(at: guess))
        return isArrival(day) ? max(own, noon(of: day.advanced(by: -1))) : own
    }

    private func isArrival(_ day: CalendarDay) -> Bool { residences.contains { $0.firstDay == day } }
}
