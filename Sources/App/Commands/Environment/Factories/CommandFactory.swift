package import HealthSyncDomain
package import HealthSyncPorts

/// Creates the objects that commands use from adapters, which commands do not know.
package struct CommandFactory: Sendable {
    /// The supported sample types, including those of plug-ins.
    package var typeTable: SampleTypeTable
    /// The handlers of the built-in metrics and of plug-ins.
    package var handlers: @Sendable (Settings) -> [any HealthMetricSyncHandler]
    /// The handlers of plug-ins, which may have settings.
    package var plugInHandlers: [any HealthMetricSyncHandler] = []
    /// Returns a handler for a quantity type; `nil` for a category type.
    package var quantityHandler: @Sendable (SampleTypeDefinition, Settings) -> (any HealthMetricSyncHandler)?
    /// The types that built-in metrics read. None of them is also a further metric.
    package var builtInTypes: Set<SampleType> = []
    /// Opens the database and, if a server is configured, the sender.
    package var openEngine: @Sendable (EngineRequest) async throws -> OpenEngine
    /// Returns the time zones of the stored days; `nil` if none are stored or the database is unreadable. The next attempt
    /// to open it reports why.
    package var storedDayZones: @Sendable (Settings) async -> StoredDayZones?
    /// Returns what the sources state about the user's time zone; empty if nothing is stored or the database is unreadable.
    package var zoneEvidence: @Sendable (Settings) async -> [ZoneEvidence] = { _ in [] }
    /// The formats of destinations, in the order in which they are tried.
    package var destinationFormats: [any HealthDestinationFormat] = []
    /// Returns the switch that pauses delivery.
    package var deliveryPause: @Sendable (Settings) -> any DeliveryPause
    /// Opens the sources at an absolute path or URL; throws `.noInput` or `.badInput` if none exist.
    package var sources: @Sendable (_ location: String, Settings) async throws -> FoundSources
    /// URL schemes of sources, in lower case.
    package var sourceSchemes: Set<String> = []
    /// Creates a writer of sample rows to an absolute path.
    package var rowWriter:
        @Sendable (ExportFormat, _ path: String, _ escapesFormulas: Bool) throws -> any SampleRowWriter
    /// Generates synthetic exports.
    package var generator: any ExportGenerator
    /// Checks integrity and version of the database without changing it.
    package var checkDatabase: @Sendable (Settings) async -> [CheckFinding]
    /// Asks the configured server for its capabilities.
    package var checkServer: @Sendable (Settings) async -> CheckFinding
    /// Returns names and versions of the system libraries.
    package var libraries: @Sendable () -> [(name: String, version: String)]
    /// Creates the objects of the receiving server.
    package var receiving: ReceivingFactory
    /// Creates the objects of the inbox.
    package var inbox: InboxFactory
    /// Creates the objects of `watch` and the inbox; `nil` in a program without them.
    package var watching: WatchFactory?
    /// Creates what pulls posts from a server; `nil` in a program without it.
    package var pulling: PullFactory?
    /// Writes and restores backups; `nil` in a program without them.
    package var backups: (any StoreBackups)?
    /// Controls the user's services; `nil` in a program without them.
    package var services: ServiceFactory?
    /// Serves the dashboard until the calling task is cancelled.
    package var showDashboard: @Sendable (DashboardRequest) async throws -> Void

    package init(
        typeTable: SampleTypeTable, handlers: @escaping @Sendable (Settings) -> [any HealthMetricSyncHandler],
        quantityHandler: @escaping @Sendable (SampleTypeDefinition, Settings) -> (any HealthMetricSyncHandler)?,
        openEngine: @escaping @Sendable (EngineRequest) async throws -> OpenEngine,
        storedDayZones: @escaping @Sendable (Settings) async -> StoredDayZones?,
        deliveryPause: @escaping @Sendable (Settings) -> any DeliveryPause,
        sources: @escaping @Sendable (String, Settings) async throws -> FoundSources,
        rowWriter: @escaping @Sendable (ExportFormat, String, Bool) throws -> any SampleRowWriter,
        generator: any ExportGenerator, checkDatabase: @escaping @Sendable (Settings) async -> [CheckFinding],
        checkServer: @escaping @Sendable (Settings) async -> CheckFinding,
        libraries: @escaping @Sendable () -> [(name: String, version: String)], receiving: ReceivingFactory,
        inbox: InboxFactory,
        showDashboard: @escaping @Sendable (DashboardRequest) async throws -> Void
    ) {
        self.typeTable = typeTable
        self.handlers = handlers
        self.quantityHandler = quantityHandler
        self.openEngine = openEngine
        self.storedDayZones = storedDayZones
        self.deliveryPause = deliveryPause
        self.sources = sources
        self.rowWriter = rowWriter
        self.generator = generator
        self.checkDatabase = checkDatabase
        self.checkServer = checkServer
        self.libraries = libraries
        self.receiving = receiving
        self.inbox = inbox
        self.showDashboard = showDashboard
    }
}

/// A file format of exported samples.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON object per line.
    case jsonl
    /// A header and one line per sample.
    case csv
    /// An SQLite database with one table.
    case sqlite
}

/// The result of one check of `doctor`.
package struct CheckFinding: Sendable, Hashable {
    /// The severity.
    package enum Level: String, Sendable, Comparable {
        case ok
        case warning
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    package var level: Level
    /// What was checked, such as `time zone`.
    package var subject: String
    /// What was found.
    package var finding: String
    /// What to do; empty if there is nothing to do.
    package var advice: String

    package init(_ level: Level, _ subject: String, _ finding: String, advice: String = "") {
        self.level = level
        self.subject = subject
        self.finding = finding
        self.advice = advice
    }
}

/// Creates the objects that pull posts from a server.
package struct PullFactory: Sendable {
    /// Connects to the inbox on a server. Throws `SyncFailure` with `.configuration` for an invalid address or token.
    package var server: @Sendable (Settings.Server, Settings) throws -> any ServerInbox
    /// Opens the local archive of pulled posts, which is that of the inbox.
    package var archive: @Sendable (Settings) -> any PulledPostArchive

    package init(
        server: @escaping @Sendable (Settings.Server, Settings) throws -> any ServerInbox,
        archive: @escaping @Sendable (Settings) -> any PulledPostArchive
    ) {
        self.server = server
        self.archive = archive
    }
}

/// What the commands of the user's services need.
package struct ServiceFactory: Sendable {
    /// The result of a call of `systemctl`.
    package struct Result: Sendable, Hashable {
        /// Its exit status.
        package var status: Int32
        /// Its standard output.
        package var output: String
        /// Its standard error.
        package var errors: String

        package init(status: Int32, output: String = "", errors: String = "") {
            self.status = status
            self.output = output
            self.errors = errors
        }
    }

    /// Absolute path of the running program.
    package var program: String
    /// Runs `systemctl --user` with these words. Throws if it cannot be started.
    package var control: @Sendable (_ words: [String]) async throws -> Result

    package init(program: String, control: @escaping @Sendable ([String]) async throws -> Result) {
        self.program = program
        self.control = control
    }
}
