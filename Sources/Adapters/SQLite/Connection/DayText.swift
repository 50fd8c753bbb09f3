import HealthSyncDomain

/// Days as they stand in the database: `YYYY-MM-DD`, so that a person reads them and text order is day order.
enum DayText {
    /// The first and the last day that have such a text.
    static let extent: ClosedRange<Int> = -719_528...2_932_896  // 0000-01-01...9999-12-31

    /// The ten bytes of `day`; days outside `extent` are brought to its ends, where no sample lies.
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
