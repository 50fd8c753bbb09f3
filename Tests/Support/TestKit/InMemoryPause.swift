package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An in-memory pause switch.
package final class InMemoryPause: DeliveryPause {
    private let isPaused = Mutex(false)

    private let time: Instant

    /// Creates a switch that is not set, and states `time` once it is.
    package init(time: Instant = Instant(milliseconds: 1_710_510_300_000)) { self.time = time }

    package func isSet() -> Bool { isPaused.withLock { $0 } }
    package func since() -> Instant? { isSet() ? time : nil }
    package func set() throws { isPaused.withLock { $0 = true } }
    package func clear() throws -> Bool {
        isPaused.withLock { held in
            defer { held = false }
            return held
        }
    }
}
