import Synchronization

/// Counts when stored samples of a series are replaced or removed. Without such changes, its pages of at least
/// `UnwrittenSamples.largeEnough` samples and those before them stay as they are, so what was read from them can be kept.
///
/// The count is odd from before the first change of a transaction until after its commit. If it is even and equal before and
/// after a query began to read, the query sees all changes up to this count and none after it.
final class SeriesRewrites: Sendable {
    /// The counts at one time.
    struct Counts {
        fileprivate let counts: [Int64: Int]

        /// Returns the count of a series if it is also that of `later` and no change is in progress.
        func settled(of series: Int64, with later: Counts) -> Int? {
            let count = counts[series] ?? 0
            return count % 2 == 0 && count == later.counts[series] ?? 0 ? count : nil
        }
    }

    private let counts = Mutex<[Int64: Int]>([:])

    /// The present counts.
    var now: Counts { Counts(counts: counts.withLock { $0 }) }

    /// Notes that a transaction is about to replace or remove samples of a series.
    func begin(_ series: Int64) { counts.withLock { $0[series, default: 0] += 1 } }

    /// Notes that the transaction was committed or rolled back. Not called if its outcome is unknown.
    func end(_ series: some Sequence<Int64>) {
        counts.withLock { counts in
            for series in series { counts[series, default: 0] += 1 }
        }
    }
}
