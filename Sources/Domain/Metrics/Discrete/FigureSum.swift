/// The running summary of the measurements of an interval.
struct FigureSum {
    private var sum = 0.0
    private(set) var count = 0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var lastStart = Int64.min
    private var lastValue = 0.0
    /// The measurements that hold in the interval, including earlier ones.
    var held = HeldSum()

    /// Adds a value that represents `count` measurements between `low` and `high`.
    @inline(__always)
    mutating func add(_ value: Double, low: Double, high: Double, count: Int, start: Int64) {
        sum += value * Double(count)
        self.count += count
        minimum = min(minimum, low)
        maximum = max(maximum, high)
        if start > lastStart { (lastStart, lastValue) = (start, value) }
    }

    /// Adds the measurements of another origin or hour. Of values that start together, the one added first counts as the
    /// last value.
    mutating func add(_ other: FigureSum) {
        sum += other.sum
        count += other.count
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        if other.lastStart > lastStart { (lastStart, lastValue) = (other.lastStart, other.lastValue) }
        held.add(other.held)
    }

    /// Returns the figures. Requires at least one measurement.
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

    /// Clamped, because rounding must not move the mean of equal values.
    private var mean: Double { min(max(sum / Double(count), minimum), maximum) }
}
