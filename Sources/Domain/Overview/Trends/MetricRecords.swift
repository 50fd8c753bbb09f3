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
