package import HealthSyncDomain
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

/// The settings that apply to every run.
package struct EngineSettings: Sendable {
    /// The user's zones, which determine the bounds of days.
    package var clock: DayClock
    /// Whether the user configured the zone. Otherwise it is the system's, and a first import must not contradict it.
    package var isZoneConfigured = true
    package var originPriority: OriginPriority
    /// The active handlers, one for each metric.
    package var handlers: [any HealthMetricSyncHandler]
    /// Returns the handler of a metric that is stored but not in `handlers`; `nil` if the user selected the metrics
    /// of this run. A run that recomputes all days in another zone derives these metrics too.
    package var handlerForStoredMetric: (@Sendable (HealthMetric) -> (any HealthMetricSyncHandler)?)?
    /// Types that are stored in addition to those the handlers read.
    package var keptTypes: [SampleTypeDefinition]
    /// Whether every type of a source is stored.
    package var keepsAllTypes: Bool
    /// The definitions of all types.
    package var typeTable: SampleTypeTable
    /// The types of which raw samples are sent.
    package var rawTypes: [SampleTypeDefinition]
    package var layering: LayeringLimits
    /// The options of a delivery.
    package var delivery: DeliveryOptions
    /// Hours without steps after which a session ends automatically.
    package var shoeInactivityHours: Int

    package init(
        clock: DayClock, originPriority: OriginPriority, handlers: [any HealthMetricSyncHandler],
        keptTypes: [SampleTypeDefinition] = [], keepsAllTypes: Bool = false, rawTypes: [SampleTypeDefinition] = [],
        typeTable: SampleTypeTable = .builtIn(), layering: LayeringLimits = LayeringLimits(),
        delivery: DeliveryOptions = DeliveryOptions(), shoeInactivityHours: Int = 6
    ) {
        self.shoeInactivityHours = shoeInactivityHours
        self.rawTypes = rawTypes
        self.layering = layering
        self.delivery = delivery
        self.clock = clock
        self.originPriority = originPriority
        self.handlers = handlers
        self.keptTypes = keptTypes
        self.typeTable = typeTable
        self.keepsAllTypes = keepsAllTypes
    }

    /// The types to read from every source.
    package var selection: SampleSelection {
        let rows = handlers.flatMap(\.reads) + keptTypes + rawTypes
        let unique = Dictionary(
            rows.map { ($0.type, typeTable[$0.type] ?? $0) }, uniquingKeysWith: { first, _ in first })
        return SampleSelection(
            types: unique.values.sorted { $0.type < $1.type }, includesOtherTypes: keepsAllTypes)
    }
}
