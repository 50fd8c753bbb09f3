/// How long to wait before trying again: full jitter under a doubling bound.
package struct RetryPolicy: Sendable, Hashable {
    /// Bound of the first wait, in milliseconds.
    package var baseMilliseconds: Int64 = 2_000
    /// Largest bound, in milliseconds.
    package var capMilliseconds: Int64 = 15 * 60_000
    /// Largest `Retry-After` that is honoured, in milliseconds.
    package var longestRetryAfterMilliseconds: Int64 = 24 * 3_600_000
    /// Destination-level failures in a row after which only one small batch is tried.
    package var breakerThreshold = 5

    package init() {}

    /// Milliseconds to wait after `failures` failures in a row; `fraction` in 0..<1 is the chance.
    package func delayMilliseconds(afterFailures failures: Int, fraction: Double) -> Int64 {
        let bound =
            failures >= 20 ? capMilliseconds : min(capMilliseconds, baseMilliseconds << Int64(max(0, failures - 1)))
        return Int64((Double(bound) * min(max(fraction, 0), 1)).rounded(.down))
    }
}
