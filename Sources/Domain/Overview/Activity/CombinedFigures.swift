extension MetricDefinition.Kind {
    /// Returns the combined figures of several periods in ascending order: the sum, or the mean or the last value with
    /// minimum and maximum; `nil` without any, and for sessions.
    package func combined(_ figures: [ProgressFigures]) -> ProgressFigures? {
        guard let last = figures.last else { return nil }
        switch self {
        case .sum:
            let largest = Double.greatestFiniteMagnitude
            let sum = figures.reduce(0) { min(largest, max(-largest, $0 + $1.quantity)) }
            return ProgressFigures(quantity: sum.asFigure)
        case .mean:
            return .merged(figures.map(\.asMean))
        case .last:
            var merged = ProgressFigures.merged(figures.map(\.asMean))
            merged?.quantity = last.quantity
            merged?.heldMilliseconds = nil
            return merged
        case .sessions:
            return nil
        }
    }

    /// Returns the mean per day of `days`; `nil` without any, and for metrics that do not add up.
    func average(of days: [DailyProgress]) -> Double? {
        guard self == .sum, let figures = combined(days.map(\.figures)) else { return nil }
        return (figures.quantity / Double(days.count)).asFigure
    }
}

extension ProgressFigures {
    /// The figures as those of a mean: without minimum, maximum and count they represent one measurement.
    fileprivate var asMean: ProgressFigures {
        var figures = self
        if minimum == nil, maximum == nil, count == nil { figures.count = 1 }
        return figures
    }
}
