package import HealthSyncPorts
import Synchronization

/// An event log that collects its events.
package final class CollectedEvents: EventLog {
    private let collected = Mutex<[String]>([])

    /// Creates an empty log.
    package init() {}

    package func note(_ event: String, level: LogLevel) { collected.withLock { $0.append(event) } }

    /// The events, in order.
    package var events: [String] { collected.withLock { $0 } }
}
