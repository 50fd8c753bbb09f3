import HealthSyncDomain

/// PostgreSQL's `date`: a number of days since 2000-01-01.
enum PostgresDate {
    private static let epoch = 10_957

    static func number(of day: CalendarDay) -> Int32 { Int32(clamping: day.ordinal - epoch) }

    static func day(_ number: Int64) -> CalendarDay { CalendarDay(ordinal: Int(number) + epoch) }
}
