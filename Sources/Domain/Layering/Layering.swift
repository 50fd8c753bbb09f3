/// The dyadic division: an interval is halved repeatedly until it is small enough to be sent.
package struct Layering: Sendable {
    private let rule: LayeringRule

    package init(_ rule: LayeringRule) { self.rule = rule }

    /// Returns the leaves in ascending order. They cover the time from the first to the last start of a sample
    /// without gaps or overlaps, and each sample belongs to the leaf that contains its start. A leaf is within the
    /// limit of the rule or 512 s long. Empty leaves occur only between samples and are as long as the grid allows.
    package func leaves(of aggregates: LayeringAggregates) -> [SyncInterval] {
        guard let first = aggregates.first, let last = aggregates.last else { return [] }
        var leaves: [SyncInterval] = []
        var root = GridInterval.root(containing: first)
        while root.start <= last {
            divide(root, aggregates, from: first, through: last, into: &leaves)
            root = GridInterval.root(containing: root.end)
        }
        return leaves
    }

    private func divide(
        _ interval: GridInterval, _ aggregates: LayeringAggregates, from first: Instant, through last: Instant,
        into leaves: inout [SyncInterval]
    ) {
        guard first < interval.end, interval.start <= last else { return }
        let figures = aggregates.figures(of: interval)
        if !rule.admits(figures), let (left, right) = interval.halves {
            divide(left, aggregates, from: first, through: last, into: &leaves)
            divide(right, aggregates, from: first, through: last, into: &leaves)
        } else {
            leaves.append(SyncInterval(interval: interval, figures: figures))
        }
    }
}

/// The rule for when an interval is small enough to be sent.
package struct LayeringRule: Hashable, Sendable {
    /// What the limit of a rule counts.
    package enum Measure: String, Sendable {
        /// Steps of the samples.
        case steps
        /// The number of samples.
        case samples
    }

    package var measure: Measure
    /// An interval is not divided if its measure is at most this.
    package var limit: Int64

    package init(measure: Measure, limit: Int64) {
        self.measure = measure
        self.limit = limit
    }

    /// The rule for steps: at most 10,000 steps an interval.
    package static let steps = LayeringRule(measure: .steps, limit: 10_000)
    /// The rule for all other types: at most 2,000 samples an interval.
    package static let samples = LayeringRule(measure: .samples, limit: 2_000)

    /// Returns whether an interval with `figures` is a leaf regardless of its length.
    package func admits(_ figures: IntervalFigures) -> Bool {
        switch measure {
        case .steps: figures.stepCount <= limit
        case .samples: figures.sampleCount <= limit
        }
    }

    /// Returns the steps of a sample as the whole number that is sent. An impossible count returns 0, so that one
    /// absurd sample does not distort the tree.
    package static func wholeSteps(_ value: Double) -> Int64 {
        guard value > 0, value < 1e9 else { return 0 }
        return Int64(value.rounded())
    }

    /// Returns the value that is sent for a sample of steps: the nearest whole number. An impossible count is sent
    /// unchanged; the server rejects it.
    package static func sentCount(_ value: Double) -> Double {
        let whole = wholeSteps(value)
        return whole > 0 || value > 0 && value < 1 ? Double(whole) : value
    }
}

/// Sums over all samples of a type: one entry for each nonempty cell of 512 s, with running totals. They answer every
/// query of the layering by binary search, without access to the samples.
package struct LayeringAggregates: Sendable {
    private var totals = CellTotals<IntervalFigures>()

    /// Collects the sums of samples and leaves, in any order.
    package struct Builder: Sendable {
        private var starts: [Int64] = []
        private var figures: [IntervalFigures] = []

        package init() {}

        /// Adds one sample. Each sample must be added exactly once.
        package mutating func add(start: Instant, steps: Int64, id: SampleID) {
            let cell = GridInterval.shortest(containing: start).start.milliseconds
            if starts.last != cell {
                starts.append(cell)
                figures.append(IntervalFigures())
            }
            figures[figures.count - 1].insert(id, steps: steps)
        }

        /// Adds the figures of a leaf that stays as it is.
        package mutating func add(_ leaf: SyncInterval) {
            guard leaf.figures.sampleCount > 0 else { return }
            starts.append(leaf.interval.start.milliseconds)
            figures.append(leaf.figures)
        }

        /// Adds everything that `other` collected.
        package mutating func add(_ other: Builder) {
            starts += other.starts
            figures += other.figures
        }

        /// Returns the aggregates of everything added.
        package func aggregates() -> LayeringAggregates {
            var aggregates = LayeringAggregates()
            for index in starts.indices.sorted(by: { starts[$0] < starts[$1] }) {
                aggregates.totals.change(at: starts[index]) { $0 += figures[index] }
            }
            return aggregates
        }
    }

    private init() {}

    /// The start of the first nonempty cell or added leaf; `nil` if there are no samples.
    package var first: Instant? { totals.starts.first.map(Instant.init(milliseconds:)) }

    /// The start of the last nonempty cell or added leaf; `nil` if there are no samples.
    package var last: Instant? { totals.starts.last.map(Instant.init(milliseconds:)) }

    /// Returns the figures of the samples that start within `interval`, which must not split an added leaf.
    package func figures(of interval: GridInterval) -> IntervalFigures { totals[interval] }
}
