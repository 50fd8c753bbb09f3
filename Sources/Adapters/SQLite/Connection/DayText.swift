import HealthSyncDomain

/// Days as the database stores them: `YYYY-MM-DD`, which is readable and sorts by date.
enum DayText {
    /// The range of day ordinals that four-digit years can represent.
    static let extent: ClosedRange<Int> = -719_528...2_932_896  // 0000-01-01...9999-12-31

    /// Returns the ten bytes of `day`. Days outside `extent`, which contain no samples, are clamped to it.
    static func bytes(of day: CalendarDay) -> [UInt8] {
        let ordinal = min(max(day.ordinal, extent.lowerBound), extent.upperBound)
        let (year, month, dayOfMonth) = CalendarDay(ordinal: ordinal).components
        func digit(_ number: Int) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: number % 10) }
        return [
            digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), 0x2D,
            digit(month / 10), digit(month), 0x2D, digit(dayOfMonth / 10), digit(dayOfMonth),
        ]
    }
}
