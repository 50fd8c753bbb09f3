package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// All stores of a run in memory, with one shared state. A small complete implementation that passes the same contract
/// suites as the database.
package final class InMemoryStores: Sendable {
    let state = Mutex(InMemoryState())
    let time: any TimeSource
    /// The recorded runs.
    package let runs = InMemoryRunStore()
    /// Watches for a run in progress.
    package let runWatch = InMemoryRunWatch()

    /// Creates empty stores; `time` sets the dates of outbox items.
    package init(time: any TimeSource) { self.time = time }

    /// The sample pages.
    package var pages: InMemorySamplePageStore { InMemorySamplePageStore(stores: self) }
    /// The derived records and their tracking.
    package var tracking: InMemorySyncTrackingStore { InMemorySyncTrackingStore(stores: self) }
    /// The read side.
    package var repository: InMemoryHealthRepository { InMemoryHealthRepository(stores: self) }
    /// The outbox.
    package var outbox: InMemoryOutboxStore { InMemoryOutboxStore(stores: self) }
    /// The shoes and their sessions.
    package var shoes: InMemoryShoeStore { InMemoryShoeStore(stores: self) }
    /// The last verification of each server.
    package var verifications: InMemoryVerificationStore { InMemoryVerificationStore(stores: self) }
    /// The intervals of raw samples.
    package var intervals: InMemorySyncIntervalStore { InMemorySyncIntervalStore(stores: self) }

    /// Makes the stores those of a user who upgrades: `destination` had `former`, and a notice is to be shown.
    package func upgrade(_ destination: String, from former: FormerDelivery) {
        state.withLock { state in
            state.outbox.formerDeliveries[destination] = former
            state.notices.insert(.furtherMetrics)
        }
    }
}
