import HealthSyncDomain

/// Short names below columns, few enough to be read on a phone.
enum ColumnLabels {
    /// Returns whether the column at `index` of `count` has a label: all of up to `most` columns, otherwise every second,
    /// third and so on.
    static func isLabelled(_ index: Int, of count: Int, atMost most: Int = 8) -> Bool {
        count <= most || index % ((count + most - 1) / most) == 0
    }

    /// Returns a period in short: `15 Jan`, `W03`, `Jan 24`, `2024`.
    static func period(_ period: CalendarPeriod) -> String {
        let (year, month, day) = period.days.first.components
        switch period.unit {
        case .day: return "\(day) \(CalendarDay.monthName(month))"
        case .week: return String(period.description.suffix(3))
        case .month:
            return "\(CalendarDay.monthName(month)) \(period.days.first.description.prefix(4).suffix(2))"
        case .year: return "\(year)"
        }
    }

    /// Returns a period in full: `Mon 15 Jan 2024`, `2024-W03`, `Jan 2024`, `2024`.
    static func fullName(_ period: CalendarPeriod) -> String {
        let first = period.days.first
        switch period.unit {
        case .day: return Figure.dayText(first)
        case .month: return "\(CalendarDay.monthName(first.components.month)) \(first.components.year)"
        case .week, .year: return "\(period)"
        }
    }
}
