import HealthSyncDomain
import Synchronization

/// Counts the samples that handlers skipped, by metric and reason.
final class SkippedTally: Sendable {
    private let tally = Mutex<[HealthMetric: [String: Int]]>([:])

    var counts: [HealthMetric: [String: Int]] { tally.withLock { $0 } }

    func add(_ skipped: [String: Int], of metric: HealthMetric) {
        guard !skipped.isEmpty else { return }
        tally.withLock { $0[metric, default: [:]].merge(skipped, uniquingKeysWith: +) }
    }
}
