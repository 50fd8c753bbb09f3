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
