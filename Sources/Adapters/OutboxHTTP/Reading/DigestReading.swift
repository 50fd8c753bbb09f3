import Foundation
import HealthSyncDomain

/// Reads the response to `GET /api/v1/digest`.
enum DigestReading {
    /// Returns the digests of the intervals that begin at `starts`; `nil` if the body does not contain exactly these.
    static func digests(_ body: [UInt8], starts: [Instant]) -> [HalvedDigest]? {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)),
            answer.intervals.map({ RFC3339.instant($0.start) }) == starts
        else { return nil }
        var digests: [HalvedDigest] = []
        for interval in answer.intervals {
            guard interval.halves.count == 2,
                let whole = digest(interval.count, interval.sum, interval.content),
                let first = digest(interval.halves[0]), let second = digest(interval.halves[1])
            else { return nil }
            digests.append(HalvedDigest(whole: whole, first: first, second: second))
        }
        return digests
    }

    /// More samples than any server has; sums of such counts do not overflow.
    private static let largestCount = 1_000_000_000_000

    private static func digest(_ half: Answer.Half) -> SampleSetDigest? { digest(half.count, half.sum, half.content) }

    private static func digest(_ count: Int, _ sum: String, _ content: String) -> SampleSetDigest? {
        guard (0...largestCount).contains(count), sum.utf8.count == 32, content.utf8.count == 16,
            let high = UInt64(sum.prefix(16), radix: 16), let low = UInt64(sum.suffix(16), radix: 16),
            let content = UInt64(content, radix: 16)
        else { return nil }
        return SampleSetDigest(ids: IntervalDigest(count: count, high: high, low: low), content: content)
    }

    private struct Answer: Decodable {
        struct Half: Decodable {
            var count: Int
            var sum: String
            var content: String
        }
        struct Interval: Decodable {
            var start: String
            var count: Int
            var sum: String
            var content: String
            var halves: [Half]
        }
        var intervals: [Interval]
    }
}
