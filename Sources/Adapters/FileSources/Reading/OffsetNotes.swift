import HealthSyncDomain

/// Collects the UTC offsets in dates of a feed, one for each local day.
struct OffsetNotes {
    private var lastDay: Substring = ""
    private var byDay: [CalendarDay: StatedOffset] = [:]

    /// Records the offset of a date, which begins with its day.
    mutating func note(_ text: String?) {
        guard let text, text.prefix(10) != lastDay, let date = HealthAutoExportDate(text) else { return }
        lastDay = text.prefix(10)
        guard let offset = date.statedOffset, byDay[date.day] == nil else { return }
        byDay[date.day] = StatedOffset(instant: date.instant, seconds: offset)
    }

    /// The offsets by instant; of consecutive equal offsets only the first and the last.
    var ends: [StatedOffset] { StatedOffset.ends(of: Array(byDay.values)) }
}
