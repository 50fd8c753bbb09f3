import HealthSyncDomain

/// Collects the UTC offsets in dates of a feed, one for each local day.
struct OffsetNotes {
    private var lastDay: Substring = ""
    private var byDay: [CalendarDay: StatedOffset] = [:]

    /// Records the offset of a date, which begins with its day. `read` returns what the date states; `nil` without an offset.
    mutating func note(_ text: String?, _ read: (String) -> StatedOffset?) {
        guard let text, text.prefix(10) != lastDay, let offset = read(text) else { return }
        lastDay = text.prefix(10)
        let day = CalendarDay(utcDayOf: offset.instant.advanced(bySeconds: offset.seconds))
        if byDay[day] == nil { byDay[day] = offset }
    }

    /// The offsets by instant; of consecutive equal offsets only the first and the last.
    var ends: [StatedOffset] { StatedOffset.ends(of: Array(byDay.values)) }
}
