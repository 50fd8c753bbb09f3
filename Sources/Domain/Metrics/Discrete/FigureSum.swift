/// Measurements of a stretch as they are summed up.
struct FigureSum {
    private var sum = 0.0
    private(set) var count = 0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var lastStart = Int64.min
    private var lastValue = 0.0
    /// What holds in the stretch, wherever it was measured.
    var held = HeldSum()

    /// Adds a value that stands for `count` measurements between `low` and `high`.
    @inline(__always)
    mutating func add(_ value: Double, low: Double, high: Double, count: Int, start: Int64) {
        sum += value * Double(count)
        self.count += count
        minimum = min(minimum, low)
        maximum = max(maximum, high)
        if start > lastStart { (lastStart, lastValue) = (start, value) }
    }

    /// Adds what another origin or hour measured; of values that start together the earlier added one stays the last.
    mutating func add(_ other: FigureSum) {
        sum += other.sum
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        if other.lastStart > lastStart { (lastStart, lastValue) = (other.lastStart, other.lastValue) }
        held.add(other.held)
    }

    /// The figures of at least one measurement.
    func figures(_ quantity: DiscreteSummary.Quantity) -> ProgressFigures {
        var figures = ProgressFigures(quantity: lastValue, minimum: minimum, maximum: maximum, count: count)
        switch quantity {
        case .last: break
        case .mean: figures.quantity = mean.asFigure
        case .timeWeightedMean:
            figures.quantity = (held.mean ?? mean).asFigure
            figures.heldMilliseconds = held.milliseconds
        }
        return figures
    }

    /// Rounding must not carry the mean of equal values beyond them.
    private var mean: Double { min(max(sum / Double(count), minimum), maximum) }
}
