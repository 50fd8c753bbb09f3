/// The means of a metric by month, and the straight line through all its days.
package struct MetricHistory: Hashable, Sendable {
    /// A month with enough days for a mean.
    package struct Month: Hashable, Sendable {
        package let period: CalendarPeriod
        /// The number of days with a quantity.
        package let days: Int
        /// The mean of these days.
        package let average: Double
        /// The standard deviation of these days.
        package let spread: Double
    }

    /// A year with any quantity.
    package struct Year: Hashable, Sendable {
        package let year: Int
        /// The mean of the days with a quantity.
        package let average: Double
    }

    /// The years, ascending.
    package let years: [Year]
    /// The months with at least `leastDays` days, ascending.
    package let months: [Month]
    /// The number of months with a quantity, but on fewer than `leastDays` days.
    package let shortMonths: Int
    /// The slope of the line that fits all days best (least squares), per year of 365.2425 days; `nil` for less than
    /// `leastSpan` days from the first to the last, or days in fewer than `leastMonths` months.
    package let changePerYear: Double?

    /// The least number of days with a quantity in a month's mean: the mean of fewer is not comparable.
    package static let leastDays = 10
    /// The least number of days from the first to the last for a trend: in less, the seasons would be one.
    private static let leastSpan = 730
    /// The least number of months with a mean for a trend.
    private static let leastMonths = 12

    /// Creates the history of `quantities`, which are ascending by day.
    package init(_ quantities: [DailyQuantity]) {
        guard let first = quantities.first?.day, let last = quantities.last?.day,
            let days = DayRange(first, through: last)
        else {
            (years, months, shortMonths, changePerYear) = ([], [], 0, nil)
            return
        }
        years = CalendarPeriod.periods(.year, of: days, dividing: quantities, by: \.day).compactMap { period, own in
            own.isEmpty
                ? nil
                : Year(year: period.days.first.components.year, average: own.map(\.quantity).average.asFigure)
        }
        let recorded = CalendarPeriod.periods(.month, of: days, dividing: quantities, by: \.day)
            .filter { !$0.1.isEmpty }
        months = recorded.compactMap { period, own in
            own.count < Self.leastDays ? nil : Month(period, own.map(\.quantity))
        }
        shortMonths = recorded.count - months.count
        changePerYear =
            days.count < Self.leastSpan || months.count < Self.leastMonths
            ? nil : Self.slope(quantities, from: first).map { ($0 * 365.2425).asFigure }
    }

    /// The least change a year that counts as one: a thousandth of the mean of the years.
    package var leastChange: Double {
        years.isEmpty ? 0 : years.reduce(0) { $0 + $1.average }.magnitude / Double(years.count) / 1_000
    }

    /// The month whose days differ least from their mean, relative to it, of those with at least 20 days; of equal ones
    /// the first. `nil` without any, and for means that are not positive.
    package var steadiest: Month? {
        months.filter { $0.days >= 20 && $0.average > 0 && $0.spread.isFinite }
            .min { $0.spread / $0.average < $1.spread / $1.average }
    }

    private static func slope(_ quantities: [DailyQuantity], from first: CalendarDay) -> Double? {
        let count = Double(quantities.count)
        let ages = quantities.map { Double($0.day.ordinal - first.ordinal) }
        let middle = ages.reduce(0, +) / count
        let average = quantities.map(\.quantity).average
        var (products, squares) = (0.0, 0.0)
        for (age, one) in zip(ages, quantities) {
            products += (age - middle) * (one.quantity - average)
            squares += (age - middle) * (age - middle)
        }
        let slope = products / squares
        return slope.isFinite ? slope : nil
    }
}

extension MetricHistory.Month {
    /// Creates the month of `quantities`, of which there is at least one.
    fileprivate init(_ period: CalendarPeriod, _ quantities: [Double]) {
        let count = Double(quantities.count)
        let average = quantities.average
        let variance = quantities.reduce(0) { $0 + ($1 - average) * ($1 - average) / count }
        self.init(
            period: period, days: quantities.count, average: average.asFigure, spread: variance.squareRoot().asFigure)
    }
}

extension [Double] {
    /// The mean, which is finite for finite numbers of any size; 0 without any.
    var average: Double {
        let sum = reduce(0, +)
        guard !sum.isFinite else { return isEmpty ? 0 : sum / Double(count) }
        let largest = Double.greatestFiniteMagnitude
        return Swift.max(-largest, Swift.min(largest, reduce(0) { $0 + $1 / Double(count) }))
    }
}
