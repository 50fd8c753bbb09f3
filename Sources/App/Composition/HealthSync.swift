public import Foundation
import HealthSyncCommands
public import HealthSyncDomain
public import HealthSyncEngine
import HealthSyncOutboxHTTP
public import HealthSyncPorts
import HealthSyncSystem

/// The program, with the plug-ins of its author.
///
/// ```swift
/// import HealthSyncApp
///
/// @main struct Program {
///     static func main() async { await HealthSync.main(adding: [BloodPressureHandler()]) }
/// }
/// ```
public enum HealthSync {
    /// The version of the program.
    public static let version = "0.2.0"

    /// Runs the command on the command line of this process and ends the process with its exit status.
    ///
    /// - Parameters:
    ///   - handlers: handlers of further metrics; a handler with the metric of a built-in one replaces it.
    ///   - sources: formats of further sources, which are asked before the built-in ones.
    ///   - senders: formats of further destinations, which are asked before the built-in ones.
    ///   - decoders: decoders of further apps that deliver to the inbox, which are asked before the built-in ones.
    public static func main(
        adding handlers: [any HealthMetricSyncHandler] = [], sources: [any HealthSourceFormat] = [],
        senders: [any HealthDestinationFormat] = [], decoders: [any InboxDecoder] = []
    ) async -> Never {
        let plugIns = PlugIns(handlers: handlers, sources: sources, senders: senders, decoders: decoders)
        let status = await LiveEnvironment.runProgram(with: plugIns)
        // Requests may be in progress on other threads. `exit` would run the handlers of libcrypto, which free what they use.
        fflush(nil)
        _exit(status)
    }
}

extension HealthSync {
    /// Returns the HTTP client that senders get from the program, for their tests.
    ///
    /// - Parameters:
    ///   - inFlight: how many calls are sent at a time.
    ///   - timeoutMilliseconds: the longest time of a call.
    public static func httpExchange(inFlight: Int = 3, timeoutMilliseconds: Int = 30_000) -> any HTTPExchange {
        PlugInExchange(inFlight: inFlight, timeoutMilliseconds: timeoutMilliseconds, time: SystemClock())
    }

    /// A run of an embedding program.
    public struct Request: Sendable {
        /// A source of the run.
        public enum Source: Sendable {
            /// A path or URL as in `--source`; its format is recognized.
            case location(String)
            /// A source of the program's own.
            case opened(any HealthDataSource)
        }

        /// A receiving server, or the destination of a sender.
        public struct Server: Sendable {
            /// The base address, such as `https://health.example`, or an address that a sender recognizes.
            public var url: String
            /// The bearer token; `nil` for a server without authentication.
            public var token: String?

            /// Creates the server at `url`.
            public init(url: String, token: String? = nil) {
                self.url = url
                self.token = token
            }
        }

        /// The days to derive.
        public var scope: RunScope
        /// The folder of the database; created if it is missing. Only one run at a time can write to it.
        public var dataDirectory: String
        /// The sources to import; unchanged ones are not read again.
        public var sources: [Source]
        /// The IANA name of the zone in which days are derived; `nil` for the zone of the stored days, or the system's
        /// zone for the first run.
        public var zone: String?
        /// The metrics to derive; `nil` for all that the data contain.
        public var metrics: [String]?
        /// The server to deliver to; `nil` keeps everything local.
        public var server: Server?
        /// Identifies the user in deliveries; `nil` for an id that is created with the data folder.
        public var userProfileID: UUID?
        /// Whether to read, derive and send again even if nothing changed.
        public var force = false
        /// Whether to import a snapshot that deletes more than a fifth of the stored samples.
        public var allowDeletions = false
        /// Seconds after which no further request is sent; `nil` for no limit.
        public var deadlineSeconds: Int64?

        /// Creates a run over `scope` in `dataDirectory`.
        public init(_ scope: RunScope, dataDirectory: String, sources: [Source] = [], zone: String? = nil) {
            self.scope = scope
            self.dataDirectory = dataDirectory
            self.sources = sources
            self.zone = zone
        }
    }

    /// Imports sources, derives days and delivers what changed, like `daily` and `historical`, in the calling task.
    ///
    /// Reads no configuration file and no environment variable except `TZ` and `TZDIR`, prints nothing, and does not
    /// end the process.
    ///
    /// - Parameters:
    ///   - request: the days, the sources and the data folder.
    ///   - handlers: handlers of further metrics; a handler with the metric of a built-in one replaces it.
    ///   - sources: formats that recognize the locations of the request, asked before the built-in ones.
    ///   - senders: formats that recognize the address of the server, asked before the built-in one.
    ///   - decoders: decoders of further apps, asked before the built-in ones. A daily run first imports the posts that wait in the
    ///     inbox of the data folder; one that cannot be decoded is kept there, and `log` receives why.
    ///   - log: receives the events of the run.
    ///   - progress: receives the progress of the run.
    /// - Returns: the report of the run. It includes metrics that failed and records that are still waiting.
    /// - Throws: `SyncFailure` if the run failed as a whole, and `CancellationError` if the calling task is cancelled.
    ///   Data that was committed before is kept, and the next run continues.
    public static func run(
        _ request: Request, adding handlers: [any HealthMetricSyncHandler] = [],
        sources: [any HealthSourceFormat] = [], senders: [any HealthDestinationFormat] = [],
        decoders: [any InboxDecoder] = [], log: (any EventLog)? = nil, progress: (any ProgressReporter)? = nil
    ) async throws -> RunReport {
        let environment = LiveEnvironment.embedded(
            PlugIns(handlers: handlers, sources: sources, senders: senders, decoders: decoders), log: log ?? Silence(),
            progress: progress ?? Silence())
        var options = Sync.Options()
        options.force = request.force
        options.allowDeletions = request.allowDeletions
        options.deadlineSeconds = request.deadlineSeconds
        return try await EmbeddedStore(environment: environment, settings: request.settings(environment)).run(
            request.scope, sources: request.sources.map(\.forRun), options: options)
    }
}

extension RunReport {
    /// The exit status of `healthsync` after such a run: 0 if everything was done (docs/command-line.md).
    public var exitStatus: Int32 { status.rawValue }
}

extension HealthSync.Request {
    func settings(_ environment: CommandEnvironment) throws(SyncFailure) -> Settings {
        let name = zone ?? environment.time.systemZoneName()
        let clock: DayClock
        do {
            clock = DayClock(home: try environment.time.zoneRules(named: name))
        } catch {
            throw SyncFailure(
                .configuration, subject: "zone", reason: "unknown time zone \"\(name)\"",
                advice: error.advice)
        }
        var settings = Settings(
            dataDirectory: URL(fileURLWithPath: dataDirectory).path, clock: clock, isZoneConfigured: zone != nil)
        settings.metrics = metrics
        settings.userProfileID = userProfileID
        settings.server = server.map { Settings.Server(url: $0.url, token: $0.token) }
        return settings
    }
}

extension HealthSync.Request.Source {
    fileprivate var forRun: EmbeddedStore.Source {
        switch self {
        case .location(let text): .location(text)
        case .opened(let source): .opened(source)
        }
    }
}

/// Discards events and progress.
struct Silence: EventLog, ProgressReporter {
    func note(_ event: String, level: LogLevel) {}
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}

/// The adapters that the author of a program adds to the built-in ones.
struct PlugIns: Sendable {
    /// Handlers of metrics; a handler with the metric of a built-in one replaces it.
    var handlers: [any HealthMetricSyncHandler] = []
    /// Formats of sources, which are asked before the built-in ones.
    var sources: [any HealthSourceFormat] = []
    /// Formats of destinations, which are asked before the built-in ones.
    var senders: [any HealthDestinationFormat] = []
    /// Decoders of apps that deliver to the inbox, which are asked before the built-in ones.
    var decoders: [any InboxDecoder] = []
}
