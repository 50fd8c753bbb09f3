extension ProgressFigures {
    /// What was measured in both stretches together: sums add up, means weigh as many measurements as are behind them,
    /// one where the number is not known.
    package func merged(with other: ProgressFigures) -> ProgressFigures {
        guard !isSum || !other.isSum else { return ProgressFigures(quantity: quantity + other.quantity) }
        let (weight, otherWeight) = (max(1, count ?? 1), max(1, other.count ?? 1))
        let sum = quantity * Double(weight) + other.quantity * Double(otherWeight)
        return ProgressFigures(
            quantity: sum / Double(weight + otherWeight), minimum: Self.lesser(minimum, other.minimum),
            maximum: Self.greater(maximum, other.maximum), count: weight + otherWeight)
    }

    private var isSum: Bool { minimum == nil && maximum == nil && count == nil }

    /// All of `figures` together; `nil` for none.
    package static func merged(_ figures: some Sequence<ProgressFigures>) -> ProgressFigures? {
        figures.reduce(nil) { merged, figures in merged?.merged(with: figures) ?? figures }
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
