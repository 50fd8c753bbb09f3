import HealthSyncDomain

/// Sums that a file states for one bucket, each of other sources: they counted the same, so the largest counts.
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
    /// What is stated of buckets that several entries are of.
    private var all: [Bucket: [[String]: Double]] = [:]

    /// The largest sum of the bucket, `value` of `sources` among them; it takes the place of what the same sources stated
    /// before.
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
