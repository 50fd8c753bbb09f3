/// Sums over all samples of a type from which every question of the layering is answered by binary search, without a
/// sample being looked at again: one entry for each stretch of 512 s that has samples, with running totals.
package struct LayeringAggregates: Sendable {
    /// Starts of the stretches, in milliseconds since 1970, ascending.
    private let starts: [Int64]
    /// Figures of everything before the stretch at the same index; one more than there are stretches.
    private let totals: [IntervalFigures]

    /// Gathers what aggregates are made of, in any order.
    package struct Builder: Sendable {
        private var starts: [Int64] = []
        private var figures: [IntervalFigures] = []

        package init() {}

        /// Adds one sample, which must be added once.
        package mutating func add(start: Instant, steps: Int64, id: SampleID) {
            let cell = GridInterval(containing: start, exponent: GridInterval.shortestExponent).start.milliseconds
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
        package func aggregates() -> LayeringAggregates { LayeringAggregates(starts: starts, figures: figures) }
    }

    private init(starts unordered: [Int64], figures: [IntervalFigures]) {
        var starts: [Int64] = []
        var totals = [IntervalFigures()]
        var total = IntervalFigures()
        for index in unordered.indices.sorted(by: { unordered[$0] < unordered[$1] }) {
            total = total + figures[index]
            if starts.last == unordered[index] {
                totals[totals.count - 1] = total
            } else {
                starts.append(unordered[index])
                totals.append(total)
            }
        }
        self.starts = starts
        self.totals = totals
    }

    /// Figures of all samples.
    package var all: IntervalFigures { totals[totals.count - 1] }

    /// The stretch of 512 s, or the leaf that was added whole, that holds the first sample; `nil` without any.
    package var first: Instant? { starts.first.map(Instant.init(milliseconds:)) }

    /// The stretch of 512 s, or the leaf that was added whole, that holds the last sample to start.
    package var last: Instant? { starts.last.map(Instant.init(milliseconds:)) }

    /// Figures of the samples that start within `interval`, which must not cut a leaf that was added whole.
    package func figures(of interval: GridInterval) -> IntervalFigures {
        totals[place(of: interval.end)] - totals[place(of: interval.start)]
    }

    /// How many stretches begin before `instant`.
    private func place(of instant: Instant) -> Int {
        starts.partitionPoint { $0 < instant.milliseconds }
    }
}
