import HealthSyncPorts
import Synchronization

/// An in-memory pause switch.
package final class InMemoryHold: DeliveryPause {
    private let isHeld = Mutex(false)

    package init() {}

    package func isSet() -> Bool { isHeld.withLock { $0 } }
    package func set() throws { isHeld.withLock { $0 = true } }
    package func clear() throws -> Bool {
        isHeld.withLock { held in
            defer { held = false }
            return held
        }
    }
}
