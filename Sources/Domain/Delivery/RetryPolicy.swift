/// How long to wait before the next attempt: full jitter under a bound that doubles.
package struct RetryPolicy: Sendable, Hashable {
    /// The bound of the first wait, in milliseconds.
    package var baseMilliseconds: Int64 = 2_000
    /// The largest bound, in milliseconds.
    package var capMilliseconds: Int64 = 15 * 60_000
    /// The longest wait that a destination may ask for, in milliseconds.
    package var longestRetryAfterMilliseconds: Int64 = 24 * 3_600_000
    /// The number of failures of the destination in a row after which only one small batch at a time is sent.
    package var breakerThreshold = 5

    package init() {}

    /// Returns the milliseconds to wait after `failures` failures in a row; `fraction` in 0..<1 is random.
    package func delayMilliseconds(afterFailures failures: Int, fraction: Double) -> Int64 {
        let bound =
            failures >= 20 ? capMilliseconds : min(capMilliseconds, baseMilliseconds << Int64(max(0, failures - 1)))
        return Int64((Double(bound) * min(max(fraction, 0), 1)).rounded(.down))
    }
}
