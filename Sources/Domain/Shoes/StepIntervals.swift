/// The intervals in which steps were taken, according to the samples of any source.
package struct StepIntervals: Sendable {
    private var coverage = Coverage()

    /// Creates the intervals of the step samples in `samples` that began before `now`. A feed's sum over more than an
    /// hour does not show when steps were taken and is ignored, as are values that `CumulativeMerge` rejects as
    /// implausible.
    package init(of samples: [OriginSamples], until now: Instant) {
        var spans: [(start: Int64, end: Int64)] = []
        for origin in samples {
            let columns = origin.columns
            let longest = origin.origin.isPreAggregated ? 3_600_000 : CumulativeMerge.longestSample
            for index in 0..<columns.count {
                let (start, length, value) = (columns.starts[index], columns.durations[index], columns.values[index])
                guard value > 0, value <= CumulativeMerge.largestValue, length <= longest, start < now.milliseconds
                else {
                    continue
                }
                // An instantaneous sample is inside a session that ends a millisecond later, but not inside one that
                // ends at the same instant.
                spans.append((start, min(start + max(1, length), now.milliseconds)))
            }
        }
        for span in spans.sorted(by: { $0.start < $1.start }) { coverage.append(span.start, span.end) }
    }

    /// Returns the first instant at or after `instant` at which steps were taken; `nil` if none exists.
    package func first(from instant: Instant) -> Instant? {
        let index = coverage.first(endingAfter: instant.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        return Instant(milliseconds: max(instant.milliseconds, coverage.starts[index]))
    }

    /// Returns the end of the last steps after `start` that are followed by `inactivity` milliseconds without steps;
    /// `nil` if there were no steps, or if less time has passed until `now`.
    package func inactive(from start: Instant, inactivity: Int64, now: Instant) -> Instant? {
        var index = coverage.first(endingAfter: start.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        while index + 1 < coverage.count, coverage.starts[index + 1] - coverage.ends[index] < inactivity { index += 1 }
        let end = coverage.ends[index]
        return now.milliseconds - end >= inactivity ? Instant(milliseconds: end) : nil
    }
}
