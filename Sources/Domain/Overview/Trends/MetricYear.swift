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

/// The best days of a metric and its longest streaks.
package struct MetricRecords: Hashable, Sendable {
    /// The day with the largest quantity; of equal ones the first.
    package let highest: DailyQuantity
    /// The day with the smallest quantity; of equal ones the first.
    package let lowest: DailyQuantity
    /// The median of all days, rounded down to a shown number: at least half of the days reach it.
    package let median: Double
    /// The longest run of days in a row with at least `median`; of equally long ones the first.
    package let streak: DayRange
    /// The longest run of days in a row with a quantity; of equally long ones the first.
    package let recordedStreak: DayRange

    /// Creates the records of `quantities`, which are ascending by day; `nil` without any. The median is a multiple of
    /// `resolution`.
    package init?(_ quantities: [DailyQuantity], resolution: Double) {
        guard var highest = quantities.first, var lowest = quantities.first else { return nil }
        for one in quantities {
            if one.quantity > highest.quantity { highest = one }
            if one.quantity < lowest.quantity { lowest = one }
        }
        self.highest = highest
        self.lowest = lowest
        let middle = quantities.map(\.quantity).sorted()[quantities.count / 2]
        let rounded = ((middle / resolution).rounded(.down) * resolution).asFigure
        // A number too large for its quotient, or rounded up by the last digit, is its own bound.
        let median = rounded.isFinite && rounded <= middle ? rounded : middle
        self.median = median
        guard let streak = Self.longest(quantities.filter { $0.quantity >= median }),
            let recorded = Self.longest(quantities)
        else { return nil }
        self.streak = streak
        recordedStreak = recorded
    }

    private static func longest(_ quantities: [DailyQuantity]) -> DayRange? {
        DayRange.runs(of: quantities.map(\.day), atMost: .max).reduce(nil) { longest, run in
            guard let longest, longest.count >= run.count else { return run }
            return longest
        }
    }
}

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
