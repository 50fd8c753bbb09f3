package import HealthSyncDomain
package import HealthSyncPorts

/// Makes what commands work with out of adapters that they do not know.
package struct CommandFactory: Sendable {
    /// The types that are understood, those of plug-ins included.
    package var typeTable: SampleTypeTable
    /// The handlers of the built-in metrics and of plug-ins.
    package var handlers: @Sendable (Settings) -> [any HealthMetricSyncHandler]
    /// A handler for any quantity of the table; `nil` for a category.
    package var quantityHandler: @Sendable (SampleTypeDefinition, Settings) -> (any HealthMetricSyncHandler)?
    /// The types that built-in metrics read: none of them is a further metric too.
    package var builtInTypes: Set<SampleType> = []
    /// Opens the database and, where one is configured, the way to the server.
    package var openEngine: @Sendable (EngineRequest) async throws -> OpenEngine
    /// How the days of the database were counted; `nil` where none is stored yet, or it cannot be read: whoever opens it
    /// next says why.
    package var countedDays: @Sendable (Settings) async -> CountedDays?
    /// What sources stated of the user's clocks; empty where nothing is stored yet, or it cannot be read.
    package var zoneEvidence: @Sendable (Settings) async -> [ZoneEvidence] = { _ in [] }
    /// The user's wish that nothing is sent.
    package var deliveryHold: @Sendable (Settings) -> any DeliveryHold
    /// Opens the sources at an absolute path or URL; throws `.noInput` or `.badInput` if there are none.
    package var sources: @Sendable (_ location: String, Settings) async throws -> FoundSources
    /// URL schemes of sources, in lower case.
    package var sourceSchemes: Set<String> = []
    /// Writes rows of samples to an absolute path.
    package var rowWriter: @Sendable (ExportFormat, _ path: String) throws -> any SampleRowWriter
    /// Invents exports.
    package var generator: any ExportGenerator
    /// Looks at the database without changing it: integrity, version.
    package var checkDatabase: @Sendable (Settings) async -> [CheckFinding]
    /// Asks the server what it can do; only where one is configured.
    package var checkServer: @Sendable (Settings) async -> CheckFinding
    /// Names and versions of the system's libraries.
    package var libraries: @Sendable () -> [(name: String, version: String)]
    /// What the receiving side works with.
    package var receiving: ReceivingFactory
    /// Shows pages until the calling task is cancelled.
    package var showDashboard: @Sendable (DashboardRequest) async throws -> Void

    package init(
        typeTable: SampleTypeTable, handlers: @escaping @Sendable (Settings) -> [any HealthMetricSyncHandler],
        quantityHandler: @escaping @Sendable (SampleTypeDefinition, Settings) -> (any HealthMetricSyncHandler)?,
        openEngine: @escaping @Sendable (EngineRequest) async throws -> OpenEngine,
        countedDays: @escaping @Sendable (Settings) async -> CountedDays?,
        deliveryHold: @escaping @Sendable (Settings) -> any DeliveryHold,
        sources: @escaping @Sendable (String, Settings) async throws -> FoundSources,
        rowWriter: @escaping @Sendable (ExportFormat, String) throws -> any SampleRowWriter,
        generator: any ExportGenerator, checkDatabase: @escaping @Sendable (Settings) async -> [CheckFinding],
        checkServer: @escaping @Sendable (Settings) async -> CheckFinding,
        libraries: @escaping @Sendable () -> [(name: String, version: String)], receiving: ReceivingFactory,
        showDashboard: @escaping @Sendable (DashboardRequest) async throws -> Void
    ) {
        self.typeTable = typeTable
        self.handlers = handlers
        self.quantityHandler = quantityHandler
        self.openEngine = openEngine
        self.countedDays = countedDays
        self.deliveryHold = deliveryHold
        self.sources = sources
        self.rowWriter = rowWriter
        self.generator = generator
        self.checkDatabase = checkDatabase
        self.checkServer = checkServer
        self.libraries = libraries
        self.receiving = receiving
        self.showDashboard = showDashboard
    }
}
