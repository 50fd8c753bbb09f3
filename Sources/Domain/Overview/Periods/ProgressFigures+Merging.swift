extension ProgressFigures {
    /// Returns the figures of two periods together: sums add up, means over time are weighted by the time for which
    /// they hold, other means by their number of measurements, or 1 if that is unknown.
    package func merged(with other: ProgressFigures) -> ProgressFigures {
        guard !isSum || !other.isSum else {
            let largest = Double.greatestFiniteMagnitude
            return ProgressFigures(quantity: min(largest, max(-largest, quantity + other.quantity)))
        }
        let (weight, otherWeight) = (max(1, count ?? 1), max(1, other.count ?? 1))
        let (sum, isTooLarge) = weight.addingReportingOverflow(otherWeight)
        var merged = ProgressFigures(
            quantity: 0, minimum: Self.lesser(minimum, other.minimum), maximum: Self.greater(maximum, other.maximum),
            count: isTooLarge ? .max : sum)
        if let held = heldMilliseconds, let otherHeld = other.heldMilliseconds, max(held, otherHeld) > 0 {
            merged.quantity = Self.mean((quantity, Double(held)), (other.quantity, Double(otherHeld)))
            let (total, isTooLong) = held.addingReportingOverflow(otherHeld)
            merged.heldMilliseconds = isTooLong ? .max : total
        } else {
            merged.quantity = Self.mean((quantity, Double(weight)), (other.quantity, Double(otherWeight)))
        }
        return merged
    }

    private static func mean(
        _ left: (quantity: Double, weight: Double), _ right: (quantity: Double, weight: Double)
    ) -> Double {
        let weight = left.weight + right.weight
        let mean = (left.quantity * left.weight + right.quantity * right.weight) / weight
        // The sum of figures near the largest double is infinite, but their mean is not.
        return mean.isFinite ? mean : left.quantity * (left.weight / weight) + right.quantity * (right.weight / weight)
    }

    private var isSum: Bool { minimum == nil && maximum == nil && count == nil }

    /// Returns all of `figures` merged; `nil` without any.
    package static func merged(_ figures: some Sequence<ProgressFigures>) -> ProgressFigures? {
        let merged = figures.reduce(nil) { merged, figures in merged?.merged(with: figures) ?? figures }
        guard var rounded = merged else { return nil }
        rounded.quantity = rounded.quantity.asFigure
        return rounded
    }

    private static func lesser(_ left: Double?, _ right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    private static func greater(_ left: Double?, _ right: Double?) -> Double? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}
