import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An event log that forwards the same event once per minute at most, with the number of repetitions in between,
/// because a failing disk fails every request.
package final class RepeatedEventFilter: EventLog {
    private struct Last {
        var reportedAt: Instant
        var repeats = 0
    }

    private static let quietMilliseconds: Int64 = 60_000
    private static let cacheLimit = 100

    private let target: any EventLog
    private let time: any TimeSource
    private let last = Mutex<[String: Last]>([:])

    /// Creates a filter that forwards to `target`.
    package init(_ target: any EventLog, time: any TimeSource) {
        self.target = target
        self.time = time
    }

    package func note(_ event: String, level: LogLevel) {
        let now = time.now()
        // The number of the request differs each time.
        let key = event.replacing(#/ \(request [0-9]+\)$/#, with: "")
        let repeats = last.withLock { last -> Int? in
            let known = last[key]
            if let known, now < known.reportedAt.advanced(byMilliseconds: Self.quietMilliseconds) {
                last[key]?.repeats += 1
                return nil
            }
            if last.count >= Self.cacheLimit { last.removeAll() }
            last[key] = Last(reportedAt: now)
            return known?.repeats ?? 0
        }
        guard let repeats else { return }
        target.note(repeats == 0 ? event : "\(event) (repeated \(repeats) times)", level: level)
    }
}
