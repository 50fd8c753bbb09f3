package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A run watch that a test controls.
package final class InMemoryRunWatch: RunWatch {
    private let run = Mutex<RunAtWork?>(nil)

    package init() {}

    package func runAtWork() -> RunAtWork? { run.withLock { $0 } }

    /// Sets the run in progress; `nil` for none.
    package func set(_ run: RunAtWork?) { self.run.withLock { $0 = run } }
}
