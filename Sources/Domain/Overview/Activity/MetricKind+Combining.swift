extension MetricDefinition.Kind {
    /// The figures of several stretches of time, in ascending order, as one: the sum, the mean with minimum and maximum,
    /// or the last value with minimum and maximum. `nil` without any, and for sessions.
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

    /// The mean of a day where `figures` are those of `days` days; `nil` for metrics that do not add up.
    func average(of figures: ProgressFigures?, days: Int) -> Double? {
        guard self == .sum, days > 0 else { return nil }
        return figures.map { ($0.quantity / Double(days)).asFigure }
    }
}

extension ProgressFigures {
    /// The same figures, never taken for a sum: without minimum, maximum and count they count as one measurement.
    fileprivate var asMean: ProgressFigures {
        var figures = self
        if minimum == nil, maximum == nil, count == nil { figures.count = 1 }
        return figures
    }
}
