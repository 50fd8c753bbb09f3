package import HealthSyncPorts
import Synchronization

/// Every store of a run in memory, over one state as the database is one file. A small real implementation: it passes
/// the same contract suites as the database.
package final class InMemoryStores: Sendable {
    let state = Mutex(InMemoryState())
    let time: any TimeSource
    /// The runs of the past.
    package let runs = InMemoryRunStore()
    /// Whether a run is at work.
    package let runWatch = InMemoryRunWatch()

    /// Empty stores; `time` dates outbox items.
    package init(time: any TimeSource) { self.time = time }

    /// The samples.
    package var pages: InMemorySamplePageStore { InMemorySamplePageStore(stores: self) }
    /// What was derived, and from what.
    package var tracking: InMemorySyncTrackingStore { InMemorySyncTrackingStore(stores: self) }
    /// The read side.
    package var repository: InMemoryHealthRepository { InMemoryHealthRepository(stores: self) }
    /// What is to be sent.
    package var outbox: InMemoryOutboxStore { InMemoryOutboxStore(stores: self) }
    /// Shoes and when each was worn.
    package var shoes: InMemoryShoeStore { InMemoryShoeStore(stores: self) }
    /// The last verification of each server.
    package var verifications: InMemoryVerificationStore { InMemoryVerificationStore(stores: self) }
    /// The intervals by which raw samples travel.
    package var intervals: InMemorySyncIntervalStore { InMemorySyncIntervalStore(stores: self) }
}
