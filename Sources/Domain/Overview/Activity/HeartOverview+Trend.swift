extension HeartOverview {
    /// The least length of the days in a trend.
    private static let leastTrendDays = 365
    /// The least number of days with a resting heart rate in a trend.
    private static let leastTrendRates = 60

    /// The change of the resting heart rate in a year of 365.25 days: the slope of the line through the days by least
    /// squares; `nil` if they span less than a year or are too few.
    package var restingChangePerYear: Double? {
        let rates = recorded.compactMap { day in day.resting.map { (Double(day.day.ordinal), $0) } }
        guard let first = rates.first, let last = rates.last, rates.count >= Self.leastTrendRates,
            last.0 - first.0 >= Double(Self.leastTrendDays - 1)
        else { return nil }
        let count = Double(rates.count)
        let middle = rates.reduce(0) { $0 + $1.0 - first.0 } / count + first.0
        let mean = rates.reduce(0) { $0 + $1.1 } / count
        let products = rates.reduce(0) { $0 + ($1.0 - middle) * ($1.1 - mean) }
        let squares = rates.reduce(0) { $0 + ($1.0 - middle) * ($1.0 - middle) }
        return (products / squares * 365.25).asFigure
    }
}
