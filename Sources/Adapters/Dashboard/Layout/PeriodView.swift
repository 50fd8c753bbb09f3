import HealthSyncDomain

/// The length of the periods on a page of figures, and the days that the page shows.
enum PeriodView: String, CaseIterable {
    case hour
    case day
    case week
    case month
    case year

    /// The name of the choice.
    var name: String { "By \(rawValue)" }

    /// Returns the days shown: the page's day by its hours; 31 days, 26 weeks or 24 months up to it; all recorded
    /// years.
    func days(through day: CalendarDay, recorded: DayRange?) -> DayRange {
        switch self {
        case .hour: return DayRange(day)
        case .day: return DayRange(day).widened(before: 30, after: 0)
        case .week:
            let last = CalendarPeriod(.week, holding: day).days.last
            return DayRange(last).widened(before: 26 * 7 - 1, after: 0)
        case .month:
            let last = CalendarPeriod(.month, holding: day).days.last
            let first = CalendarPeriod(.month, holding: last.advanced(byMonths: -23)).days.first
            return DayRange(first, through: last) ?? DayRange(last)
        case .year:
            let all = recorded ?? DayRange(day)
            let first = CalendarPeriod(.year, holding: all.first).days.first
            return DayRange(first, through: CalendarPeriod(.year, holding: all.last).days.last) ?? all
        }
    }

    /// The period of a column; `nil` for hours.
    var unit: CalendarPeriod.Unit? { CalendarPeriod.Unit(rawValue: rawValue) }

    /// The view that shows one column by shorter periods.
    var closer: PeriodView {
        switch self {
        case .hour, .day: .hour
        case .week: .day
        case .month: .day
        case .year: .month
        }
    }
}
