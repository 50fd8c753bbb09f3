import HealthSyncDomain
import Synchronization

/// Counts requests by operation and status and measures their latency. Contains no health values and nothing that a
/// client chose.
package final class ServerMetrics: RequestObserver {
    private struct Series: Hashable {
        var operation: String
        var status: Int
    }

    private struct Latency {
        var buckets = [Int](repeating: 0, count: ServerMetrics.bounds.count)
        var count = 0
        var sumMilliseconds: Int64 = 0
    }

    private struct State {
        var requests: [Series: Int] = [:]
        var latencies: [String: Latency] = [:]
        var bodyBytes = 0
    }

    /// Upper bounds of the buckets in milliseconds.
    private static let bounds: [Int64] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

    private let state = Mutex(State())

    package init() {}

    package func observe(_ request: ObservedRequest) {
        let milliseconds = max(0, request.endedAt.milliseconds - request.startedAt.milliseconds)
        state.withLock { state in
            state.requests[Series(operation: request.operation, status: request.status), default: 0] += 1
            state.bodyBytes += request.bodyBytes
            var latency = state.latencies[request.operation] ?? Latency()
            for (index, bound) in Self.bounds.enumerated() where milliseconds <= bound { latency.buckets[index] += 1 }
            latency.count += 1
            latency.sumMilliseconds += milliseconds
            state.latencies[request.operation] = latency
        }
    }

    /// Returns the metrics in the Prometheus text format.
    func text() -> String {
        let state = state.withLock { $0 }
        var lines = ["# TYPE healthsync_requests_total counter"]
        for (series, count) in state.requests.sorted(by: {
            ($0.key.operation, $0.key.status) < ($1.key.operation, $1.key.status)
        }) {
            lines.append(
                "healthsync_requests_total{operation=\"\(series.operation)\",status=\"\(series.status)\"} \(count)")
        }
        lines += ["# TYPE healthsync_request_body_bytes_total counter"]
        lines.append("healthsync_request_body_bytes_total \(state.bodyBytes)")
        lines.append("# TYPE healthsync_request_seconds histogram")
        for (operation, latency) in state.latencies.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, latency.buckets) {
                let seconds = CanonicalNumber.text(Double(bound) / 1000)
                lines.append("healthsync_request_seconds_bucket{operation=\"\(operation)\",le=\"\(seconds)\"} \(count)")
            }
            lines.append("healthsync_request_seconds_bucket{operation=\"\(operation)\",le=\"+Inf\"} \(latency.count)")
            let sum = CanonicalNumber.text(Double(latency.sumMilliseconds) / 1000)
            lines.append("healthsync_request_seconds_sum{operation=\"\(operation)\"} \(sum)")
            lines.append("healthsync_request_seconds_count{operation=\"\(operation)\"} \(latency.count)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
