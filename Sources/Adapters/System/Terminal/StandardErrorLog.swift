import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The events of a run on standard error, one per line: `2026-11-23T06:22:01Z warning run=3f2a91bc delivery paused: …`.
package struct StandardErrorLog: EventLog {
    private let console: Console
    private let level: LogLevel
    private let run: String
    private let time: any TimeSource

    /// Creates a log of events of `level` and above on the standard error of `console`, under a new random id.
    package init(console: Console, level: LogLevel, time: any TimeSource, random: any RandomSource) {
        self.console = console
        self.level = level
        self.time = time
        run = HexDigits.text(random.bytes(4))
    }

    package func note(_ event: String, level: LogLevel) {
        guard level >= self.level else { return }
        let now = RFC3339.string(time.now())
        console.writeError("\(now) \(level.rawValue) run=\(run) \(UntrustedText.escaped(event))")
    }
}

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
