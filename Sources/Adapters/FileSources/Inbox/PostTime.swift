import HealthSyncDomain

/// A time with a UTC offset: RFC 3339, or one of the forms of Health Auto Export.
struct StatedTime {
    let instant: Instant
    /// Seconds east of UTC if the text contains a numeric offset; `nil` for `Z`.
    let offset: Int64?

    init?(_ text: String) {
        if let instant = RFC3339.instant(text) {
            self.instant = instant
            offset = UTCOffset.seconds(text.suffix(6))
        } else if let date = HealthAutoExportDate(text) {
            instant = date.instant
            offset = date.statedOffset
        } else {
            return nil
        }
    }
}

/// A time without a UTC offset: `2024-01-15T08:00`, `2024-01-15 08:00:00.250`, or a day.
struct LocalTime {
    private let day: CalendarDay
    private let milliseconds: Int64

    init?(_ text: String) {
        guard text.utf8.count <= 32, let day = CalendarDay(text.prefix(10)) else { return nil }
        self.day = day
        let rest = text.dropFirst(10)
        guard let separator = rest.first else {
            milliseconds = 0
            return
        }
        // A zero offset makes the rest a time with an offset.
        let clock = rest.dropFirst()
        let seconds = clock.utf8.count == 5 ? "\(clock):00" : "\(clock)"
        guard separator == "T" || separator == " ", let time = RFC3339.instant("\(day)T\(seconds)Z") else { return nil }
        milliseconds = time.milliseconds - day.utcStart.milliseconds
    }

    /// Returns the instant at which `clock` shows the time. Of two such instants it is the earlier one; a time that the
    /// clock skips is taken with the offset before.
    func instant(in clock: DayClock) -> Instant {
        let wall = day.utcStart.advanced(byMilliseconds: milliseconds)
        let before = clock.offsetSeconds(at: wall.advanced(bySeconds: -86_400))
        let first = wall.advanced(bySeconds: -before)
        let offset = clock.offsetSeconds(at: first)
        guard offset != before else { return first }
        let second = wall.advanced(bySeconds: -offset)
        return clock.offsetSeconds(at: second) == offset ? second : first
    }
}
