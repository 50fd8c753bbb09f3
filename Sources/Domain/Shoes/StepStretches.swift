/// When steps were taken: the stretches that samples with steps cover, whoever measured.
package struct StepStretches: Sendable {
    private var coverage = Coverage()

    /// Stretches of the samples of steps in `samples` that began before `now`. The sum of more than an hour that a feed
    /// made does not say when steps were taken and is left out, as is what `StepMerge` does not believe.
    package init(of samples: [OriginSamples], until now: Instant) {
        var spans: [(start: Int64, end: Int64)] = []
        for origin in samples {
            let columns = origin.columns
            let longest = origin.origin.isPreAggregated ? 3_600_000 : StepMerge.longestSample
            for index in 0..<columns.count {
                let (start, length, value) = (columns.starts[index], columns.durations[index], columns.values[index])
                guard value > 0, value <= StepMerge.largestValue, length <= longest, start < now.milliseconds else {
                    continue
                }
                // A sample without length lies within a session that ends a millisecond later, not within one that
                // ends at it.
                spans.append((start, min(start + max(1, length), now.milliseconds)))
            }
        }
        for span in spans.sorted(by: { $0.start < $1.start }) { coverage.append(span.start, span.end) }
    }

    /// The first instant from `instant` on at which steps were taken.
    package func first(from instant: Instant) -> Instant? {
        let index = coverage.first(endingAfter: instant.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        return Instant(milliseconds: max(instant.milliseconds, coverage.starts[index]))
    }

    /// The end of the last steps from `start` on before `inactivity` milliseconds without any have passed; `nil` while
    /// there were none, or while less than that has passed until `now`.
    package func inactive(from start: Instant, inactivity: Int64, now: Instant) -> Instant? {
        var index = coverage.first(endingAfter: start.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        while index + 1 < coverage.count, coverage.starts[index + 1] - coverage.ends[index] < inactivity { index += 1 }
        let end = coverage.ends[index]
        return now.milliseconds - end >= inactivity ? Instant(milliseconds: end) : nil
    }
}
