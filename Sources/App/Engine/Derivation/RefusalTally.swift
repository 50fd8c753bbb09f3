import HealthSyncDomain
import Synchronization

/// Samples that handlers left out of the days they derived, by metric and reason.
final class RefusalTally: Sendable {
    private let tally = Mutex<[HealthMetric: [String: Int]]>([:])

    var counts: [HealthMetric: [String: Int]] { tally.withLock { $0 } }

    func add(_ refused: [String: Int], of metric: HealthMetric) {
        guard !refused.isEmpty else { return }
        tally.withLock { $0[metric, default: [:]].merge(refused, uniquingKeysWith: +) }
    }
}
