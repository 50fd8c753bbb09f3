package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A run watch that a test controls.
package final class InMemoryRunWatch: RunWatch {
    private let run = Mutex<ActiveRun?>(nil)

    package init() {}

    package func activeRun() -> ActiveRun? { run.withLock { $0 } }

    /// Sets the run in progress; `nil` for none.
    package func set(_ run: ActiveRun?) { self.run.withLock { $0 = run } }
}
