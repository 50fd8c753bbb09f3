/// A date and a time of day without a UTC offset, as a clock on the wall shows them.
public struct LocalTime: Sendable, Hashable {
    /// The calendar day.
    public let day: CalendarDay
    /// Milliseconds after midnight by the wall clock, less than 86,400,000.
    public let milliseconds: Int64

    /// Creates a time on `day`; `nil` if `milliseconds` is not between 0 and 86,399,999.
    public init?(day: CalendarDay, milliseconds: Int64) {
        guard (0..<86_400_000).contains(milliseconds) else { return nil }
        self.day = day
        self.milliseconds = milliseconds
    }

    /// Parses `2024-01-15T08:00`, `2024-01-15 08:00:00.250` or a day, which means its midnight; `nil` for anything
    /// else, such as a time with an offset.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 32, let day = CalendarDay(text.prefix(10)) else { return nil }
        let rest = text.dropFirst(10)
        guard let separator = rest.first else {
            self.init(day: day, milliseconds: 0)
            return
        }
        // A zero offset makes the rest a time with an offset.
        let clock = rest.dropFirst()
        let seconds = clock.utf8.count == 5 ? "\(clock):00" : "\(clock)"
        guard separator == "T" || separator == " ", let time = RFC3339.instant("\(day)T\(seconds)Z") else { return nil }
        // A leap second at the end of a day is the first one of the next.
        let shown = CalendarDay(utcDayOf: time)
        self.init(day: shown, milliseconds: time.milliseconds - shown.utcStart.milliseconds)
    }

    /// Returns the instant at which the wall clock of the user shows this time.
    ///
    /// Of two such instants, when the clock is set back, it is the earlier one, or the later one if only that is not before
    /// `earliest`; when a stay in another zone begins, it is the one that belongs to `day`. For a time that the clock skips,
    /// the offset before the change applies.
    public func instant(in clock: DayClock, notBefore earliest: Instant? = nil) -> Instant {
        let shown = instants(in: clock)
        if let earliest, let first = shown.first(where: { $0 >= earliest }) ?? shown.last { return first }
        if let first = shown.first { return first }
        return wall.advanced(bySeconds: -clock.offsetSeconds(at: wall.advanced(bySeconds: -86_400)))
    }

    /// Midnight UTC of the day, and the time of day after it.
    private var wall: Instant { day.utcStart.advanced(byMilliseconds: milliseconds) }

    /// Returns the instants at which the wall clock shows this time, ascending: those that belong to `day`, or otherwise to
    /// a day next to it.
    private func instants(in clock: DayClock) -> [Instant] {
        let offsets = Set([-86_400, 0, 86_400].map { clock.offsetSeconds(at: wall.advanced(bySeconds: $0)) })
        let shown = offsets.map { wall.advanced(bySeconds: -$0) }.sorted()
            .filter { clock.offsetSeconds(at: $0) == wall.seconds - $0.seconds }
        let own = shown.filter { clock.day(of: $0) == day }
        return own.isEmpty ? shown : own
    }
}
