package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A run at work, or none, as a test says.
package final class InMemoryRunWatch: RunWatch {
    private let run = Mutex<RunAtWork?>(nil)

    package init() {}

    package func runAtWork() -> RunAtWork? { run.withLock { $0 } }

    /// From now on that run is at work; none for `nil`.
    package func set(_ run: RunAtWork?) { self.run.withLock { $0 = run } }
}
