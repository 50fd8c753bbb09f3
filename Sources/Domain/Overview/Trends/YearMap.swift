/// The days of a metric by years, each with a level from low to high.
package struct YearMap: Hashable, Sendable {
    /// One year with at least one quantity.
    package struct Year: Hashable, Sendable {
        package let year: Int
        /// Ascending by day.
        package let quantities: [DailyQuantity]
        /// The mean of the days with a quantity.
        package let average: Double
        /// The day with the smallest quantity; of equal ones the first.
        package let lowest: DailyQuantity
        /// The day with the largest quantity; of equal ones the first.
        package let highest: DailyQuantity
        /// The mean of each month, from January on; `nil` for fewer than `MetricHistory.leastDays` days.
        package let months: [Double?]
        /// The number of months with a quantity, but on fewer days.
        package let shortMonths: Int
    }

    /// The years that have quantities, latest first.
    package let years: [Year]
    /// The lower bounds of the levels above the lowest, ascending and different: the quintiles of all quantities, rounded
    /// so that the shown number is the exact bound.
    package let bounds: [Double]

    /// Creates the map of `quantities`, which have one entry for each day. Bounds are multiples of `resolution`. Means and
    /// extremes leave out `incomplete`, the day whose sum is incomplete, unless it is the only one of its year.
    package init(_ quantities: [DailyQuantity], resolution: Double, incomplete: CalendarDay? = nil) {
        let sorted = quantities.map(\.quantity).sorted()
        var bounds: [Double] = []
        for fifth in 1..<5 where !sorted.isEmpty {
            let bound = ((sorted[sorted.count * fifth / 5] / resolution).rounded() * resolution).asFigure
            if bound > bounds.last ?? sorted[0] { bounds.append(bound) }
        }
        self.bounds = bounds
        years = Dictionary(grouping: quantities) { $0.day.components.year }
            .compactMap { Year(year: $0.key, $0.value.sorted { $0.day < $1.day }, incomplete) }
            .sorted { $0.year > $1.year }
    }

    /// Returns the level of a quantity: 0 below the first bound, up to the number of bounds.
    package func level(of quantity: Double) -> Int { bounds.count { $0 <= quantity } }
}

extension YearMap.Year {
    fileprivate init?(year: Int, _ quantities: [DailyQuantity], _ incomplete: CalendarDay?) {
        let counted = quantities.leavingOut(incomplete, by: \.day)
        guard var lowest = counted.first else { return nil }
        var highest = lowest
        var months = [(sum: Double, days: Int)](repeating: (0, 0), count: 12)
        for one in counted {
            if one.quantity < lowest.quantity { lowest = one }
            if one.quantity > highest.quantity { highest = one }
            let month = one.day.components.month - 1
            months[month].sum += one.quantity
            months[month].days += 1
        }
        self.init(
            year: year, quantities: quantities,
            average: (months.reduce(0) { $0 + $1.sum } / Double(counted.count)).asFigure, lowest: lowest,
            highest: highest,
            months: months.map { $0.days < MetricHistory.leastDays ? nil : ($0.sum / Double($0.days)).asFigure },
            shortMonths: months.count { $0.days > 0 && $0.days < MetricHistory.leastDays })
    }
}
