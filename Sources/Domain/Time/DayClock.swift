/// The time zones of a user, which determine the bounds of days, hours and nights.
///
/// The UTC offset in a health file is that of the phone at the time of the export, not of the user at the time of the
/// sample. So days depend on zones: one home zone and, if the user configures them, other zones from given days on.
public struct DayClock: Sendable, Hashable {
    /// A stay in another zone, beginning on `firstDay`.
    public struct Residence: Sendable, Hashable {
        /// The first calendar day in the zone.
        public let firstDay: CalendarDay
        /// The rules of the zone.
        public let rules: ZoneRules

        /// Creates a stay in the zone of `rules` from `firstDay` on.
        public init(firstDay: CalendarDay, rules: ZoneRules) {
            self.firstDay = firstDay
            self.rules = rules
        }
    }

    /// The zone before the first residence.
    public let home: ZoneRules
    /// Later stays, ordered by first day.
    public let residences: [Residence]

    /// Creates a clock with the zone `home` and stays in other zones.
    public init(home: ZoneRules, residences: [Residence] = []) {
        self.home = home
        self.residences = residences.sorted { $0.firstDay < $1.firstDay }
    }

    /// Returns whether every day is the same interval by `other`, regardless of zone names.
    package func countsDays(as other: DayClock) -> Bool {
        home.showsTime(of: other.home) && residences.count == other.residences.count
            && zip(residences, other.residences).allSatisfy { own, their in
                own.firstDay == their.firstDay && own.rules.showsTime(of: their.rules)
            }
    }

    /// Returns whether `day` is the same interval by `other`.
    package func agrees(with other: DayClock, on day: CalendarDay) -> Bool {
        interval(of: day) == other.interval(of: day)
    }

    /// Returns the rules of the zone on `day`.
    public func rules(on day: CalendarDay) -> ZoneRules {
        residences.last { $0.firstDay <= day }?.rules ?? home
    }

    /// Returns the first instant of `day`.
    ///
    /// If a journey across the date line would begin a day before the previous one, both begin at the same instant
    /// and the previous day is empty.
    public func start(of day: CalendarDay) -> Instant {
        let own = rules(on: day).start(of: day)
        return isArrival(day) ? max(own, start(of: day.advanced(by: -1))) : own
    }

    /// Returns the half-open interval from the start of `day` to the start of the next; 23 to 25 hours within one
    /// zone.
    public func interval(of day: CalendarDay) -> InstantRange {
        InstantRange(start: start(of: day), end: start(of: day.advanced(by: 1)))
    }

    /// Returns the interval from the start of the first to the end of the last day.
    public func interval(of days: DayRange) -> InstantRange {
        InstantRange(start: start(of: days.first), end: start(of: days.last.advanced(by: 1)))
    }

    /// Returns the only day whose interval contains `instant`. Takes as long for any instant.
    public func day(of instant: Instant) -> CalendarDay {
        let instant = Self.near(instant)
        var day = CalendarDay(utcDayOf: instant).advanced(by: -2)
        while start(of: day.advanced(by: 1)) <= instant { day = day.advanced(by: 1) }
        return day
    }

    /// Returns the hour buckets of `day`: intervals that begin on the hour of the wall clock and last an hour of
    /// absolute time. The first may begin later and the last end earlier if midnight is not on the hour. The repeated
    /// hour in autumn is two buckets. An hour in which clocks change ends there, so that the next one begins on the
    /// hour of the changed clock.
    public func hours(of day: CalendarDay) -> [InstantRange] {
        let whole = interval(of: day)
        let rules = rules(on: day)
        var hours: [InstantRange] = []
        var start = whole.start
        while start < whole.end {
            let wall = start.seconds + rules.offsetSeconds(at: start)
            let intoHour = wall - wall.flooredQuotient(by: 3600) * 3600
            let full = min(Instant(seconds: start.seconds + 3600 - intoHour), whole.end)
            let end = rules.firstChange(after: start, before: full) ?? full
            hours.append(InstantRange(start: start, end: end))
            start = end
        }
        return hours
    }

    /// Returns the night of `day`, in which a source that states only sums has one night: from noon of the day before to noon of `day`, by the wall clock of each day.
    public func night(of day: CalendarDay) -> InstantRange {
        InstantRange(start: noon(of: day.advanced(by: -1)), end: noon(of: day))
    }

    /// Returns the day whose night contains `instant`. `SleepClock` decides to which day sleep belongs.
    public func nightDay(of instant: Instant) -> CalendarDay {
        let instant = Self.near(instant)
        var day = day(of: instant)
        // The noon of a skipped day is that of the day before, so its night is empty.
        while instant >= noon(of: day) { day = day.advanced(by: 1) }
        while instant < noon(of: day.advanced(by: -1)) { day = day.advanced(by: -1) }
        return day
    }

    /// Returns the UTC offset of the user's wall clock at `instant`, in seconds east of UTC.
    public func offsetSeconds(at instant: Instant) -> Int64 {
        rules(on: day(of: instant)).offsetSeconds(at: instant)
    }

    /// Returns whether the user's wall clock shows the time of `instant` twice because it was set back.
    public func showsTwice(_ instant: Instant) -> Bool {
        let offset = offsetSeconds(at: instant)
        return [Int64(-86_400), 86_400].contains { aside in
            let other = offsetSeconds(at: instant.advanced(bySeconds: aside))
            return other != offset && offsetSeconds(at: instant.advanced(bySeconds: offset - other)) == other
        }
    }

    /// Returns the instant at which the wall clock shows 12:00 on `day`, never before the noon of the day before. The
    /// noon of a skipped day is that of the day before, so the night across it belongs to the day on which it ends.
    ///
    /// No zone changes its clocks around noon, so the instant is unique on every day that exists in the zone.
    public func noon(of day: CalendarDay) -> Instant {
        if CalendarDay.representable.contains(day), interval(of: day).isEmpty { return noon(of: day.advanced(by: -1)) }
        let rules = rules(on: day)
        let wallNoon = day.utcStartSeconds + 43_200
        let guess = Instant(seconds: wallNoon - rules.offsetSeconds(at: Instant(seconds: wallNoon)))
        let own = Instant(seconds: wallNoon - rules.offsetSeconds(at: guess))
        return isArrival(day) ? max(own, noon(of: day.advanced(by: -1))) : own
    }

    /// Returns `instant`, or the nearest one that is days away from the ends of the range, where the starts of days are
    /// saturated and no longer ascend.
    private static func near(_ instant: Instant) -> Instant {
        let farthest = Int64.max - 4 * CalendarDay.millisecondsPerDay
        return Instant(milliseconds: min(max(instant.milliseconds, -farthest), farthest))
    }

    private func isArrival(_ day: CalendarDay) -> Bool { residences.contains { $0.firstDay == day } }
}
