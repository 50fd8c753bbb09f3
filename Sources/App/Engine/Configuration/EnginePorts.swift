import HealthSyncDomain
package import HealthSyncPorts

/// The ports of the engine.
package struct EnginePorts: Sendable {
    package var pages: any SamplePageStore
    package var tracking: any SyncTrackingStore
    package var repository: any HealthRepository
    package var outbox: any OutboxStore
    package var shoes: any ShoeStore
    package var intervals: any SyncIntervalStore
    package var runs: any RunStore
    package var runWatch: any RunWatch
    package var verifications: any VerificationStore
    /// The user's pause of delivery.
    package var hold: any DeliveryPause
    /// The destination to deliver to; `nil` if none is configured, in which case nothing is queued.
    package var server: HealthDestination?
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var random: any RandomSource
    package var log: any EventLog
    package var progress: any ProgressReporter

    package init(
        pages: any SamplePageStore, tracking: any SyncTrackingStore, repository: any HealthRepository,
        outbox: any OutboxStore, shoes: any ShoeStore, intervals: any SyncIntervalStore, runs: any RunStore,
        runWatch: any RunWatch, verifications: any VerificationStore, hold: any DeliveryPause,
        server: HealthDestination?,
        hasher: any ContentHasher,
        time: any TimeSource,
        random: any RandomSource, log: any EventLog, progress: any ProgressReporter
    ) {
        self.pages = pages
        self.tracking = tracking
        self.repository = repository
        self.outbox = outbox
        self.shoes = shoes
        self.intervals = intervals
        self.runs = runs
        self.runWatch = runWatch
        self.verifications = verifications
        self.hold = hold
        self.server = server
        self.hasher = hasher
        self.time = time
        self.random = random
        self.log = log
        self.progress = progress
    }
}
