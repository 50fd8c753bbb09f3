/// Thirty days of one metric, compared with the thirty days before and with those of a year ago.
public struct MetricTrend: Hashable, Sendable {
    /// The thirty days.
    public let days: DayRange
    /// The quantities of these days, ascending; days without one are missing.
    public let recent: [DailyQuantity]
    /// The mean of the days with a quantity; `nil` for fewer than `leastDays` of them.
    public let average: Double?
    /// The mean of the thirty days before; `nil` for fewer than `leastDays` with a quantity.
    public let averageBefore: Double?
    /// The mean of the thirty days that end on the same date a year earlier; `nil` for fewer than `leastDays` with a
    /// quantity.
    public let averageYearAgo: Double?

    /// The number of days of which a mean is formed.
    public static let length = 30
    /// The least number of days with a quantity in a mean: the mean of fewer is not comparable.
    public static let leastDays = 10

    /// Creates the trend of the thirty days that end with `last`. `quantities` may contain other days.
    package init(through last: CalendarDay, quantities: [DailyQuantity]) {
        func within(_ days: DayRange) -> [DailyQuantity] { quantities.filter { days.contains($0.day) } }
        func average(_ quantities: [DailyQuantity]) -> Double? {
            guard quantities.count >= Self.leastDays else { return nil }
            return (quantities.reduce(0) { $0 + $1.quantity } / Double(quantities.count)).asFigure
        }
        days = Self.days(through: last)
        recent = within(days).sorted { $0.day < $1.day }
        self.average = average(recent)
        averageBefore = average(within(Self.days(through: last.advanced(by: -Self.length))))
        averageYearAgo = average(within(Self.days(through: last.advanced(byMonths: -12))))
    }

    /// Returns the ranges whose quantities the trend through `last` needs.
    package static func needed(through last: CalendarDay) -> [DayRange] {
        [
            days(through: last.advanced(byMonths: -12)),
            days(through: last).widened(before: length, after: 0),
        ]
    }

    private static func days(through last: CalendarDay) -> DayRange {
        DayRange(last).widened(before: length - 1, after: 0)
    }
}
