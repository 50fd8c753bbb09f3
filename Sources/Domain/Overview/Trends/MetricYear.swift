/// One metric in one calendar year, compared with the year before.
package struct MetricYear: Hashable, Sendable {
    package let year: Int
    /// The quantities of the year, ascending by day.
    package let quantities: [DailyQuantity]
    /// The mean of the days with a quantity; `nil` without any.
    package let average: Double?
    /// The mean of the year before; `nil` for fewer than `MetricHistory.leastDays` days with a quantity.
    package let averageBefore: Double?
    /// The best days and streaks within the year; `nil` without a quantity.
    package let records: MetricRecords?
    /// The means of the months.
    package let history: MetricHistory

    /// Creates the figures of `year`. `quantities` are ascending by day and may contain other years. Only the total counts
    /// `incomplete`, the day whose sum is incomplete, unless it is the only one.
    package init(_ year: Int, of quantities: [DailyQuantity], resolution: Double, incomplete: CalendarDay? = nil) {
        let all = quantities.filter { $0.day.components.year == year }
        let own = all.leavingOut(incomplete, by: \.day)
        let before = quantities.filter { $0.day.components.year == year - 1 }
        self.year = year
        self.quantities = all
        average = Self.mean(own)
        averageBefore = before.count < MetricHistory.leastDays ? nil : Self.mean(before)
        records = MetricRecords(own, resolution: resolution)
        history = MetricHistory(own)
    }

    /// The sum of all days.
    package var total: Double {
        let largest = Double.greatestFiniteMagnitude
        return quantities.reduce(0) { min(largest, max(-largest, $0 + $1.quantity)) }.asFigure
    }

    private static func mean(_ quantities: [DailyQuantity]) -> Double? {
        quantities.isEmpty ? nil : quantities.map(\.quantity).average.asFigure
    }
}
