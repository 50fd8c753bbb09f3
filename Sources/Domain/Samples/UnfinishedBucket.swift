/// A bucket whose sum or mean was sent before the bucket ended. Its value must not be spread over the future.
package enum UnfinishedBucket {
    /// Returns the duration of a bucket that was sent at `moment`, truncated to end there. All values are in
    /// milliseconds.
    ///
    /// The duration of a truncated bucket is never a whole number of minutes, which identifies it as unfinished.
    package static func duration(start: Int64, duration: Int64, statedAt moment: Int64) -> Int64 {
        guard start < moment, moment < start &+ duration else { return duration }
        let seconds = (moment - start) / 1000
        return max(1, seconds.isMultiple(of: 60) ? seconds - 1 : seconds) * 1000
    }

    /// Returns whether a bucket with this duration was sent before it ended.
    package static func isUnfinished(duration: Int64) -> Bool { duration % 60_000 != 0 }
}
