import HealthSyncCommands
import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncTestKit

extension CommandFactory {
    /// A factory with the built-in table, two handlers, and no database, sources or files.
    static var empty: CommandFactory {
        var factory = CommandFactory(
            typeTable: .builtIn(adding: [
                SampleTypeDefinition(
                    SampleType(rawValue: "HKQuantityTypeIdentifierBodyMass"), .discrete, unit: "kg")
            ]),
            handlers: { _ in
                [
                    FixedHandler(metric: .steps, reads: [.stepCount]),
                    FixedHandler(metric: .sleep, reads: [.sleepAnalysis]),
                ]
            },
            quantityHandler: { definition, _ in
                FixedHandler(metric: HealthMetric(rawValue: definition.type.shortName), reads: [definition])
            },
            openEngine: { _ in
                throw SyncFailure(.noInput, subject: "database", reason: "does not exist", advice: "run daily")
            },
            storedDayZones: { _ in nil }, deliveryPause: { _ in InMemoryPause() },
            sources: { path, _ in
                throw SyncFailure(.noInput, subject: path, reason: "no such file", advice: "check the path")
            },
            rowWriter: { _, path, _ in
                throw SyncFailure(.cannotCreate, subject: path, reason: "no disk", advice: "add one")
            },
            generator: EchoGenerator(), checkDatabase: { _ in [CheckFinding(.ok, "database", "sound")] },
            checkServer: { CheckFinding(.ok, "server", "\($0.server?.url ?? "") answers") },
            libraries: { [(name: "zip", version: "1.7")] }, receiving: .empty, inbox: .empty,
            showDashboard: { $0.ready("http://127.0.0.1:\($0.port)/") })
        factory.destinationFormats = [HTTPDestinationFormat()]
        return factory
    }
}

/// A handler that derives nothing.
struct FixedHandler: HealthMetricSyncHandler {
    let metric: HealthMetric
    let reads: [SampleTypeDefinition]
    var results: [MetricDefinition]
    var inputs: [HealthMetric] = []
    var settings: [HandlerSetting] = []
    var version: Int { 1 }

    init(metric: HealthMetric, reads: [SampleTypeDefinition]) {
        self.metric = metric
        self.reads = reads
        results = reads.prefix(1).map { MetricDefinition(metric, of: $0) }
    }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        DerivedDays()
    }
}

/// Returns figures that reflect the request.
struct EchoGenerator: ExportGenerator {
    func generate(
        _ request: ExportGenerationRequest, progress: (any ProgressReporter)?
    ) async throws -> GeneratedExport {
        GeneratedExport(
            days: DayRange(request.lastDay), records: request.years, xmlBytes: Int64(request.density * 100))
    }
}
