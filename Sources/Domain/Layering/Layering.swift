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
