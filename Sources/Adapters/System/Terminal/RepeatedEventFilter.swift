import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An event log in which the same event stands once a minute, with how often it came in between: a disk that fails fails
/// every request.
package final class RepeatedEventFilter: EventLog {
    private struct Last {
        var toldAt: Instant
        var repeats = 0
    }

    private static let quietMilliseconds: Int64 = 60_000
    private static let mostRemembered = 100

    private let inside: any EventLog
    private let time: any TimeSource
    private let last = Mutex<[String: Last]>([:])

    /// Notes events in `inside`.
    package init(_ inside: any EventLog, time: any TimeSource) {
        self.inside = inside
        self.time = time
    }

    package func note(_ event: String, isDetail: Bool) {
        let now = time.now()
        let repeats = last.withLock { last -> Int? in
            let known = last[event]
            if let known, now < known.toldAt.advanced(byMilliseconds: Self.quietMilliseconds) {
                last[event]?.repeats += 1
                return nil
            }
            if last.count >= Self.mostRemembered { last.removeAll() }
            last[event] = Last(toldAt: now)
            return known?.repeats ?? 0
        }
        guard let repeats else { return }
        inside.note(repeats == 0 ? event : "\(event) (\(repeats) times more before)", isDetail: isDetail)
    }
}
