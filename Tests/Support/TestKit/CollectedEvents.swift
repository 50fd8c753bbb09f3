import HealthSyncPorts
import Synchronization

/// An event log that keeps what it is told.
package final class CollectedEvents: EventLog {
    private let collected = Mutex<[String]>([])

    /// A log that was told nothing yet.
    package init() {}

    package func note(_ event: String, isDetail: Bool) { collected.withLock { $0.append(event) } }

    /// What it was told, in order.
    package var events: [String] { collected.withLock { $0 } }
}
