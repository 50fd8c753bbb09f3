/// A bucket of which a sum or mean was stated before it ended: it is not spread over its future.
package enum UnfinishedBucket {
    /// The length of a bucket that was stated at `moment`: until then at most. All in milliseconds.
    ///
    /// A bucket that was cut has a length that is not a whole number of minutes, by which it is known.
    package static func duration(start: Int64, duration: Int64, statedAt moment: Int64) -> Int64 {
        guard start < moment, moment < start &+ duration else { return duration }
        let seconds = (moment - start) / 1000
        return max(1, seconds.isMultiple(of: 60) ? seconds - 1 : seconds) * 1000
    }

    /// Whether a bucket of that length was stated before it ended.
    static func isUnfinished(duration: Int64) -> Bool { duration % 60_000 != 0 }
}
