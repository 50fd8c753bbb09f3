/// Sums over all samples of a type from which every question of the layering is answered by binary search, without a
/// sample being looked at again: one entry for each stretch of 512 s that has samples, with running totals.
package struct LayeringAggregates: Sendable {
    private var totals = CellTotals<IntervalFigures>()

    /// Gathers what aggregates are made of, in any order.
    package struct Builder: Sendable {
        private var starts: [Int64] = []
        private var figures: [IntervalFigures] = []

        package init() {}

        /// Adds one sample, which must be added once.
        package mutating func add(start: Instant, steps: Int64, id: SampleID) {
            let cell = GridInterval.shortest(containing: start).start.milliseconds
            if starts.last != cell {
                starts.append(cell)
                figures.append(IntervalFigures())
            }
            figures[figures.count - 1].insert(id, steps: steps)
        }

        /// Adds what is known of a leaf that stays as it is.
        package mutating func add(_ leaf: SyncInterval) {
            guard leaf.figures.sampleCount > 0 else { return }
            starts.append(leaf.interval.start.milliseconds)
            figures.append(leaf.figures)
        }

        /// Adds what `other` gathered.
        package mutating func add(_ other: Builder) {
            starts += other.starts
            figures += other.figures
        }

        /// The aggregates of all that was added.
        package func aggregates() -> LayeringAggregates {
            var aggregates = LayeringAggregates()
            for index in starts.indices.sorted(by: { starts[$0] < starts[$1] }) {
                aggregates.totals.change(at: starts[index]) { $0 += figures[index] }
            }
            return aggregates
        }
    }

    private init() {}

    /// The stretch of 512 s, or the leaf that was added whole, that holds the first sample; `nil` without any.
    package var first: Instant? { totals.starts.first.map(Instant.init(milliseconds:)) }

    /// The stretch of 512 s, or the leaf that was added whole, that holds the last sample to start.
    package var last: Instant? { totals.starts.last.map(Instant.init(milliseconds:)) }

    /// Figures of the samples that start within `interval`, which must not cut a leaf that was added whole.
    package func figures(of interval: GridInterval) -> IntervalFigures { totals[interval] }
}
