import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The handlers and types that the settings name.
struct MetricChoice {
    /// The handlers at work.
    let handlers: [any HealthMetricSyncHandler]
    /// Types kept beside those the handlers read.
    let keptTypes: [SampleTypeDefinition]
    let keepsAllTypes: Bool
    /// Types whose samples are sent as they are: steps, where anything reads them, and those named.
    let rawTypes: [SampleTypeDefinition]
    private let typeTable: SampleTypeTable
    private static let builtIn = SampleTypeTable.builtIn()

    /// Throws for names that nothing has, with the nearest that something has: `.configuration` where the name stands in
    /// the configuration file, else `.usage`.
    init(settings: Settings, factory: CommandFactory) throws(SyncFailure) {
        let offered = factory.handlers(settings)
        let places = settings.placesOfNames
        var chosen: [any HealthMetricSyncHandler] = []
        for name in settings.metrics ?? offered.map(\.metric.rawValue) {
            let handler = try Self.handler(named: name, offered: offered, factory: factory, settings: settings)
            if !chosen.contains(where: { $0.metric == handler.metric }) { chosen.append(handler) }
        }
        handlers = chosen
        keepsAllTypes = settings.types == .all
        var kept: [SampleTypeDefinition] = []
        if case .named(let names) = settings.types {
            for name in names { kept.append(try Self.type(named: name, table: factory.typeTable, places: places)) }
        }
        // Sources know the built-in types; what only plug-ins define is asked for by name, whichever metrics are chosen.
        if keepsAllTypes { kept = factory.typeTable.rows.filter { Self.builtIn[$0.type] == nil } }
        keptTypes = kept
        typeTable = factory.typeTable
        let readsSteps =
            keepsAllTypes
            || (chosen.flatMap(\.reads) + kept).contains { $0.type == SampleTypeDefinition.stepCount.type }
        var raw: [SampleTypeDefinition] = readsSteps ? [.stepCount] : []
        for name in settings.rawTypes {
            let definition = try Self.type(named: name, table: factory.typeTable, places: places)
            if !raw.contains(where: { $0.type == definition.type }) { raw.append(definition) }
        }
        rawTypes = raw
    }

    /// What the engine is to know.
    func engineSettings(_ settings: Settings) -> EngineSettings {
        var delivery = DeliveryOptions()
        delivery.concurrency = settings.limits.requestsInFlight
        delivery.requestTimeoutMilliseconds = Int64(settings.limits.requestTimeoutSeconds) * 1000
        var layering = LayeringLimits()
        layering.steps = Int64(settings.layering.stepsPerInterval)
        layering.samples = Int64(settings.layering.samplesPerInterval)
        var engineSettings = EngineSettings(
            clock: settings.clock, originPriority: settings.originPriority, handlers: handlers, keptTypes: keptTypes,
            keepsAllTypes: keepsAllTypes, rawTypes: rawTypes, typeTable: typeTable, layering: layering,
            delivery: delivery, shoeInactivityHours: settings.shoeInactivityHours)
        engineSettings.isZoneStated = settings.isZoneStated
        return engineSettings
    }

    /// The handler of a metric that was derived before, by the names of today.
    static func handlerOfRecorded(
        _ settings: Settings, factory: CommandFactory
    ) -> @Sendable (HealthMetric) -> (any HealthMetricSyncHandler)? {
        { metric in
            try? handler(
                named: metric.rawValue, offered: factory.handlers(settings), factory: factory, settings: settings)
        }
    }

    /// The quantities of the table that no handler of `offered` reads: each can be a metric of its own.
    static func furtherTypes(
        _ table: SampleTypeTable, offered: [any HealthMetricSyncHandler]
    ) -> [SampleTypeDefinition] {
        let read = Set(offered.flatMap { $0.reads.map(\.type) })
        return table.rows.filter { $0.kind != .category && !read.contains($0.type) }
    }

    /// The type called `name`, which may have a place in the configuration file.
    static func type(
        named name: String, table: SampleTypeTable, places: [String: String] = [:]
    ) throws(SyncFailure) -> SampleTypeDefinition {
        if let definition = table.definition(named: name) { return definition }
        let meant = Suggestion.nearest(to: name, among: table.rows.map(\.type.shortName))
        throw unknown(
            name, "no such type of sample",
            advice: meant.map { "did you mean \($0)?" } ?? "--types all keeps every type of a source", places)
    }

    private static func unknown(
        _ name: String, _ reason: String, advice: String, _ places: [String: String]
    ) -> SyncFailure {
        guard let place = places[name] else { return .usage(name, reason, advice: advice) }
        return .configuration(place, "\(reason) as \"\(name)\"", advice: advice)
    }

    private static func handler(
        named name: String, offered: [any HealthMetricSyncHandler], factory: CommandFactory, settings: Settings
    ) throws(SyncFailure) -> any HealthMetricSyncHandler {
        let lowercased = name.lowercased()
        if let handler = offered.first(where: { $0.metric.rawValue.lowercased() == lowercased }) { return handler }
        let further = furtherTypes(factory.typeTable, offered: offered)
        if let definition = further.first(where: { $0.type.shortName.lowercased() == lowercased }),
            let handler = factory.quantityHandler(definition, settings)
        {
            return handler
        }
        // A type that a handler reads is better served by that handler: it knows how to merge it.
        let reader = factory.typeTable.definition(named: name).flatMap { definition in
            offered.first { $0.reads.contains { $0.type == definition.type } }?.metric.rawValue
        }
        let names = offered.map(\.metric.rawValue) + further.map(\.type.shortName)
        let meant = reader ?? Suggestion.nearest(to: name, among: names)
        throw unknown(
            name, "no such metric", advice: meant.map { "did you mean \($0)?" } ?? "see `healthsync metrics`",
            settings.placesOfNames)
    }
}
