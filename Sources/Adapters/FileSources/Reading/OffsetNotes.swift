import HealthSyncDomain

/// Collects the offsets that dates of a feed state, one for each day on the wall clock.
struct OffsetNotes {
    private var lastDay: Substring = ""
    private var byDay: [CalendarDay: StatedOffset] = [:]

    /// Notes the offset of a date, which begins with its day.
    mutating func note(_ text: String?) {
        guard let text, text.prefix(10) != lastDay, let date = HealthAutoExportDate(text) else { return }
        lastDay = text.prefix(10)
        guard let offset = date.statedOffset, byDay[date.day] == nil else { return }
        byDay[date.day] = StatedOffset(instant: date.instant, seconds: offset)
    }

    /// By instant; of neighbours with one offset the first and the last.
    var ends: [StatedOffset] { StatedOffset.ends(of: Array(byDay.values)) }
}
