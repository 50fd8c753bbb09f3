import HealthSyncDomain

/// The sums that a file contains for one bucket from different sources: they counted the same activity, so the largest
/// counts.
struct BucketAlternatives {
    private struct Bucket: Hashable {
        let type: SampleType
        let interval: InstantRange
    }

    private struct Statement {
        let sources: [String]
        let value: Double
    }

    private var first: [Bucket: Statement] = [:]
    /// The sums of buckets with several entries.
    private var all: [Bucket: [[String]: Double]] = [:]

    /// Returns the largest sum of the bucket, including `value` of `sources`, which replaces an earlier value of the
    /// same sources.
    mutating func largest(
        _ value: Double, of sources: [String], type: SampleType, in interval: InstantRange
    ) -> Double {
        let bucket = Bucket(type: type, interval: interval)
        guard let known = first[bucket] else {
            first[bucket] = Statement(sources: sources, value: value)
            return value
        }
        all[bucket, default: [known.sources: known.value]][sources] = value
        return all[bucket]?.values.max() ?? value
    }
}
