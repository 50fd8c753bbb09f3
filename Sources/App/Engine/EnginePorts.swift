package import HealthSyncDomain
package import HealthSyncPorts

/// The outside world as the engine sees it.
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
    /// Whether the user holds deliveries.
    package var hold: any DeliveryHold
    /// The server to deliver to; `nil` while none is configured, and then nothing queues up.
    package var server: Server?
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var random: any RandomSource
    package var log: any EventLog
    package var progress: any ProgressReporter

    /// How to speak to one server.
    package struct Server: Sendable {
        package var encoder: any OutboxEncoder
        package var sender: any OutboxSender
        /// Asks which samples the server has; `nil` where nobody can.
        package var reader: (any ServerSampleReader)?
        /// Asks which derived records the server has; `nil` where nobody can.
        package var recordReader: (any ServerRecordReader)?

        package init(
            encoder: any OutboxEncoder, sender: any OutboxSender, reader: (any ServerSampleReader)? = nil,
            recordReader: (any ServerRecordReader)? = nil
        ) {
            self.encoder = encoder
            self.sender = sender
            self.reader = reader
            self.recordReader = recordReader
        }
    }

    package init(
        pages: any SamplePageStore, tracking: any SyncTrackingStore, repository: any HealthRepository,
        outbox: any OutboxStore, shoes: any ShoeStore, intervals: any SyncIntervalStore, runs: any RunStore,
        runWatch: any RunWatch, verifications: any VerificationStore, hold: any DeliveryHold, server: Server?,
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

/// What the user fixed for every run.
package struct EngineSettings: Sendable {
    /// Which instants make a day for this person.
    package var clock: DayClock
    /// Whether the user named the zone; otherwise it is the system's, which a first import must not contradict.
    package var isZoneStated = true
    package var originPriority: OriginPriority
    /// The handlers at work, one for each metric.
    package var handlers: [any HealthMetricSyncHandler]
    /// The handler of a metric that is recorded and not among `handlers`; `nil` where the user chose the metrics of this run
    /// alone. A run that counts all days by another clock derives such metrics too.
    package var handlerOfRecorded: (@Sendable (HealthMetric) -> (any HealthMetricSyncHandler)?)?
    /// The types that are kept at home beside those the handlers read.
    package var keptTypes: [SampleTypeDefinition]
    /// Whether every type of a source is kept.
    package var keepsAllTypes: Bool
    /// The one definition of each type.
    package var typeTable: SampleTypeTable
    /// The types whose samples travel as they are.
    package var rawTypes: [SampleTypeDefinition]
    package var layering: LayeringLimits
    /// How a delivery goes about it.
    package var delivery: DeliveryOptions
    /// Hours without steps after which a worn shoe is taken off by itself.
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

    /// What is asked of every source.
    package var selection: SampleSelection {
        let rows = handlers.flatMap(\.reads) + keptTypes + rawTypes
        let unique = Dictionary(
            rows.map { ($0.type, typeTable[$0.type] ?? $0) }, uniquingKeysWith: { first, _ in first })
        return SampleSelection(
            types: unique.values.sorted { $0.type < $1.type }, includesOtherTypes: keepsAllTypes)
    }
}
