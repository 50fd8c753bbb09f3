package import HealthSyncDomain
package import HealthSyncPorts

/// The settings that apply to every run.
package struct EngineSettings: Sendable {
    /// The user's zones, which determine the bounds of days.
    package var clock: DayClock
    /// Whether the user configured the zone. Otherwise it is the system's, and a first import must not contradict it.
    package var isZoneConfigured = true
    package var originPriority: OriginPriority
    /// The active handlers, one for each metric.
    package var handlers: [any HealthMetricSyncHandler]
    /// The handlers without those that the data activated.
    var selectedHandlers: [any HealthMetricSyncHandler] { handlers.filter { !activated.contains($0.metric) } }
    /// The metrics of the handlers that the data activated.
    private var activated: Set<HealthMetric> = []
    /// The handlers that are active if the store has samples of what they read (decision 58); empty if the user selected
    /// the metrics.
    package var furtherHandlers: [any HealthMetricSyncHandler] = []
    /// Returns the handler of a metric that is stored but not in `handlers`; `nil` if the user selected the metrics
    /// of this run. A run that recomputes all days in another zone derives these metrics too.
    package var handlerForStoredMetric: (@Sendable (HealthMetric) -> (any HealthMetricSyncHandler)?)?
    /// The values of the settings of handlers, by metric; those that are not stated have their defaults.
    package var handlerSettings: [HealthMetric: HandlerSettings] = [:]
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
        delivery: DeliveryOptions = DeliveryOptions(),
        shoeInactivityHours: Int = EngineSettings.standardShoeInactivityHours
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
        let rows = (handlers + furtherHandlers).flatMap(\.reads) + keptTypes + rawTypes
        let unique = Dictionary(
            rows.map { ($0.type, typeTable[$0.type] ?? $0) }, uniquingKeysWith: { first, _ in first })
        return SampleSelection(
            types: unique.values.sorted { $0.type < $1.type }, includesOtherTypes: keepsAllTypes)
    }

    /// Returns the settings with the further handlers that have samples, or records of samples that were deleted, among
    /// `handlers`. A handler without data costs a run nothing.
    func active(in ports: EnginePorts) async throws -> EngineSettings {
        guard !furtherHandlers.isEmpty else { return self }
        let types = Set(try await ports.pages.storedTypes().map(\.type))
        let recorded = Set(try await ports.repository.recordedMetrics())
        let active = furtherHandlers.filter { handler in
            recorded.contains(handler.metric) || handler.reads.contains { types.contains($0.type) }
        }
        var settings = self
        settings.handlers += active
        settings.activated = Set(active.map(\.metric))
        settings.furtherHandlers = []
        return settings
    }

    /// Returns the values of the settings of a handler.
    func values(of handler: any HealthMetricSyncHandler) -> HandlerSettings {
        handlerSettings[handler.metric] ?? HandlerSettings()
    }

    /// Returns today and `lookBackDays` days before it, by default `defaultLookBackDays`.
    func recentDays(_ lookBackDays: Int?, at now: Instant) -> DayRange {
        DayRange(clock.day(of: now)).widened(before: max(0, lookBackDays ?? Self.defaultLookBackDays), after: 0)
    }

    /// The default for everything that concerns only recent days: automatic sessions, and the days that a change of
    /// the zone may recompute without being requested.
    private static let defaultLookBackDays = 7

    /// The default of `shoeInactivityHours`.
    package static let standardShoeInactivityHours = 6

    /// The number of runs in the history.
    package static let runsKept = 1_000
}
