import HealthSyncPorts
import Synchronization

/// An in-memory pause switch.
package final class InMemoryPause: DeliveryPause {
    private let isPaused = Mutex(false)

    package init() {}

    package func isSet() -> Bool { isPaused.withLock { $0 } }
    package func set() throws { isPaused.withLock { $0 = true } }
    package func clear() throws -> Bool {
        isPaused.withLock { held in
            defer { held = false }
            return held
        }
    }
}
