import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncFileSources
import HealthSyncMetrics
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSyntheticExport
import HealthSyncSystem

/// Connects the ports of the real program to adapters. Only this folder names adapters.
enum LiveEnvironment {
    /// Runs the program in this process and returns its exit status.
    static func runProgram(with plugIns: PlugIns) async -> Int32 {
        ProcessMemory.shareHeaps()
        InterruptSignals.ignoreBrokenPipes()
        let console = Console()
        var environment = Self.environment(console: console, plugIns: plugIns)
        let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? environment.programName
        environment.programName = name
        let program = CommandLineProgram(environment: environment)
        let status: ExitStatus
        do {
            status = try await InterruptSignals.cancelling {
                if console.isAsking {
                    // Reading the answer cannot be cancelled.
                    console.writeError("\n\(name): interrupted at a question; what it is about has not changed")
                    _exit(InterruptSignals.exitStatus)
                }
                console.writeError(
                    "\(name): stopping after the current transaction; interrupt again to stop at once")
            } _: {
                await program.run()
            }
        } catch {
            status = .interrupted
        }
        if let failure = console.finish() {
            console.writeError("\(name): \(failure.description)")
            return ExitStatus(of: failure).rawValue
        }
        return status.rawValue
    }

    private static func environment(console: Console, plugIns: PlugIns) -> CommandEnvironment {
        let clock = SystemClock()
        let types = definitions(of: plugIns.handlers)
        var environment = CommandEnvironment(
            version: HealthSync.version, words: Array(CommandLine.arguments.dropFirst()),
            variables: ProcessInfo.processInfo.environment,
            workingDirectory: FileManager.default.currentDirectoryPath, width: console.width,
            isOutputTerminal: console.isOutputTerminal, output: { console.write($0) },
            errorLine: { console.writeError($0) }, confirm: { console.confirm($0) }, files: PosixFiles(), time: clock,
            random: SystemRandom(),
            log: {
                StandardErrorLog(console: console, level: $0, time: clock, random: SystemRandom())
            },
            progress: {
                ProgressBar(console: console, clock: clock, style: $0.barStyle(isTerminal: console.isErrorTerminal))
            },
            factory: factory(time: clock, plugIns: plugIns, table: types.table, console: console),
            startFailure: types.failure)
        environment.ask = { console.ask($0) }
        return environment
    }

    /// Returns an environment without a command line, which prints nothing.
    static func embedded(
        _ plugIns: PlugIns, log: any EventLog, progress: any ProgressReporter
    ) -> CommandEnvironment {
        let clock = SystemClock()
        let types = definitions(of: plugIns.handlers)
        return CommandEnvironment(
            version: HealthSync.version, words: [], variables: [:],
            workingDirectory: FileManager.default.currentDirectoryPath, width: 80, isOutputTerminal: false,
            output: { _ in }, errorLine: { _ in }, confirm: { _ in nil }, files: PosixFiles(), time: clock,
            random: SystemRandom(), log: { _ in log }, progress: { _ in progress },
            factory: factory(time: clock, plugIns: plugIns, table: types.table, console: Console()),
            startFailure: types.failure)
    }

    /// Returns the definitions of all types; only the built-in ones, and a failure, if those of `handlers` contradict
    /// them or each other.
    private static func definitions(
        of handlers: [any HealthMetricSyncHandler]
    ) -> (table: SampleTypeTable, failure: SyncFailure?) {
        do {
            let authors = handlers.map {
                TypeDefinitions.Author(name: "the handler \"\($0.metric)\"", definitions: $0.reads)
            }
            return (try TypeDefinitions(authors).table, nil)
        } catch {
            return (.builtIn(), error)
        }
    }

    private static func factory(
        time: any TimeSource, plugIns: PlugIns, table: SampleTypeTable, console: Console
    ) -> CommandFactory {
        // Those of plug-ins are asked first.
        let decoders = plugIns.decoders + BuiltInInboxDecoders.all(hasher: LibcryptoHasher())
        var factory = CommandFactory(
            typeTable: table, handlers: { handlers(for: $0, plugIns: plugIns.handlers) },
            quantityHandler: { BuiltInHandlers.handler(ofFurther: $0, holdMinutes: $1.heartRateHoldMinutes) },
            openEngine: { try await LiveEngine(request: $0, time: time, senders: plugIns.senders).open() },
            storedDayZones: { await LiveEngine.storedDayZones($0, time: time) },
            deliveryPause: { PauseFile(folder: $0.dataDirectory, time: time) },
            sources: {
                try await sourceDetection($1, plugIns: plugIns.sources).sources(
                    at: $0, in: SourceContext(clock: $1.clock, types: table))
            },
            rowWriter: rowWriter, generator: SyntheticExport(time: time),
            checkDatabase: { await LiveChecks.database($0, time: time) },
            checkServer: { await LiveChecks.server($0, time: time, senders: plugIns.senders) },
            libraries: { LiveChecks.libraries() },
            receiving: LiveReceiver.factory(time: time, console: console, decoders: decoders),
            inbox: LiveInbox.factory(),
            showDashboard: { try await LiveDashboard(time: time, console: console).show($0) })
        factory.plugInHandlers = plugIns.handlers
        factory.inbox.plugInDecoders = plugIns.decoders
        factory.builtInTypes = Set(BuiltInHandlers.all().flatMap { $0.reads.map(\.type) })
        factory.sourceSchemes = Set(plugIns.sources.flatMap(\.schemes))
        factory.destinationFormats = DestinationFormats(plugIns.senders).all
        factory.watching = LiveWatch(
            time: time, console: console, decoders: decoders,
            variables: ProcessInfo.processInfo.environment
        ).factory()
        factory.backups = LiveBackups.backups(time: time)
        factory.services = ServiceFactory(program: UserServiceManager.program) {
            let result = try await UserServiceManager.control($0)
            return ServiceFactory.Result(status: result.status, output: result.output, errors: result.errors)
        }
        factory.pulling = LiveInbox.pullFactory(time: time)
        factory.zoneEvidence = { await LiveEngine.zoneEvidence($0, time: time) }
        return factory
    }

    private static func handlers(
        for settings: Settings, plugIns: [any HealthMetricSyncHandler]
    ) -> [any HealthMetricSyncHandler] {
        let replaced = Set(plugIns.map(\.metric))
        let builtIn = BuiltInHandlers.all(
            sleepGapMinutes: settings.sleepGapMinutes, sleepNightGapMinutes: settings.sleepNightGapMinutes,
            heartRateHoldMinutes: settings.heartRateHoldMinutes)
        return builtIn.filter { !replaced.contains($0.metric) } + plugIns
    }

    private static func sourceDetection(
        _ settings: Settings, plugIns: [any HealthSourceFormat]
    ) -> SourceDetection {
        let limits = DecompressionLimits(totalBytes: settings.limits.decompressedBytes)
        return SourceDetection(formats: plugIns + BuiltInSourceFormats.all(hasher: LibcryptoHasher(), limits: limits))
    }

    private static func rowWriter(
        _ format: ExportFormat, path: String, escapesFormulas: Bool
    ) -> any SampleRowWriter {
        switch format {
        case .jsonl: JSONLinesRowWriter(path: path)
        case .csv: CSVRowWriter(path: path, escapesFormulas: escapesFormulas)
        case .sqlite: SQLiteSampleExport(path: path)
        }
    }
}

extension Verbosity {
    fileprivate func barStyle(isTerminal: Bool) -> ProgressBar.Style {
        self == .quiet ? .silent : isTerminal ? .bar : .lines
    }
}

/// The checks of `doctor` that need adapters.
private enum LiveChecks {
    static func database(_ settings: Settings, time: any TimeSource) async -> [CheckFinding] {
        let path = settings.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [CheckFinding(.ok, "database", "\(path): none yet; the first run creates it")]
        }
        do {
            let database = try await SQLiteDatabase.open(at: path, access: .readOnly, time: time)
            let problems = try await database.integrityProblems()
            try await database.close()
            guard problems.isEmpty else {
                return problems.map {
                    CheckFinding(
                        .error, "database", "\(path): \($0)",
                        advice: "move the file away and run `healthsync historical` with your sources")
                }
            }
            return [CheckFinding(.ok, "database", "\(path): intact, schema \(SQLiteDatabase.schemaVersion)")]
        } catch {
            return [finding(of: error, subject: "database")]
        }
    }

    static func server(
        _ settings: Settings, time: any TimeSource, senders: [any HealthDestinationFormat]
    ) async -> CheckFinding {
        guard let server = settings.server else { return CheckFinding(.ok, "server", "none is configured") }
        do {
            let profile = settings.userProfileID ?? UUID()
            let destination = try DestinationFormats(senders).destination(
                for: DestinationRequest(
                    address: server.url, token: server.token, userProfile: UUIDText.text(profile), time: time,
                    http: PlugInExchange(time: time)))
            switch await destination.sender.capabilities() {
            case .capabilities(let accepted) where accepted == .plain:
                return CheckFinding(
                    .warning, "server", "\(server.url): available, accepts steps and sleep only",
                    advice: "deliver to `healthsync serve`, which accepts all records and can be verified")
            case .capabilities where destination.reader == nil:
                return CheckFinding(.ok, "server", "\(server.url): available, cannot be verified")
            case .capabilities: return CheckFinding(.ok, "server", "\(server.url): available, accepts all records")
            case .failed(let verdict):
                return CheckFinding(
                    .error, "server", "\(server.url): \(verdict.trouble ?? "does not report what it accepts")",
                    advice: "check the address, the token and the network")
            }
        } catch {
            return finding(of: error, subject: "server")
        }
    }

    static func libraries() -> [(name: String, version: String)] {
        [
            ("SQLite", SQLiteDatabase.libraryVersion), ("libcurl", HTTPOutboxSender.libraryVersion),
            ("libzip", FileSourceLibraries.zip), ("ISA-L", FileSourceLibraries.inflate),
            ("libpq", PostgresLibrary.version),
            ("OpenSSL", LibcryptoHasher.libraryVersion), ("libqrencode", LibqrencodeEncoder.libraryVersion),
        ]
    }

    private static func finding(of error: any Error, subject: String) -> CheckFinding {
        guard let failure = error as? SyncFailure else { return CheckFinding(.error, subject, "\(error)") }
        return CheckFinding(.error, subject, "\(failure.subject): \(failure.reason)", advice: failure.advice)
    }
}

/// Connects the watch process to the inbox, the files and the service manager.
private struct LiveWatch: Sendable {
    let time: any TimeSource
    let console: Console
    let decoders: [any InboxDecoder]
    let variables: [String: String]

    /// Returns what `watch` and the commands of the inbox use.
    func factory() -> WatchFactory {
        WatchFactory(
            ledger: { FileDeliveryLedger(folder: $0.dataDirectory) },
            decoders: decoders, listen: { try await listen($0) }, changes: FileWatch(time: time),
            hasher: LibcryptoHasher(), flush: { console.flush() },
            notify: { ServiceNotifier.notify($0, variables: variables) })
    }

    /// Receives posts until the calling task is cancelled.
    private func listen(_ request: InboxListenRequest) async throws {
        let settings = try LiveInbox.daemonSettings(
            host: request.host, port: request.port, socket: ServiceSocket.passed(variables),
            allowsLAN: request.admitsLocalNetwork)
        try LiveInbox.archive(request.settings).prepare()
        let log = RepeatedEventFilter(
            StandardErrorLog(
                console: console, level: request.settings.logLevel, time: time, random: SystemRandom()), time: time)
        let devices = LiveInbox.devices(request.settings)
        let api = InboxAPI(
            recipients: .home(request.archive, devices: devices), decoders: decoders, hasher: LibcryptoHasher(),
            time: time, log: log,
            pair: LiveInbox.pairing(request.settings, devices: devices, time: time, log: log)
        ) { post in
            request.received(
                ReceivedPost(id: post.id, sender: post.sender, bytes: post.bytes, device: post.head.device))
        }
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(), router: api, observer: RequestObservers([]), time: time,
            clock: MonotonicClock(zonesOf: time))
        request.ready(daemon.address)
        do {
            try await daemon.watch()
        } catch is CancellationError {
            // The inbox ends when its task is cancelled.
        }
        // Unstructured: this task is cancelled, but requests in progress are to be finished.
        _ = await Task { await daemon.stop() }.value
    }
}

/// Connects backups to the databases.
private enum LiveBackups {
    static func backups(time: any TimeSource) -> any StoreBackups {
        FileBackups(
            databases: FileBackups.Databases(
                copy: { try SQLiteSnapshot.copy($0, to: $1) },
                check: { path, kind in
                    switch kind {
                    case .local: try SQLiteSnapshot.check(path, is: .local)
                    case .received: try SQLiteSnapshot.check(path, is: .received)
                    case .tokens: try SQLiteSnapshot.check(path, is: .tokens)
                    }
                }), time: time)
    }
}

extension PosixFiles: UserFiles {}
