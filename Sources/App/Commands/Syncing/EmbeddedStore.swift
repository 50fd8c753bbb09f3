package import HealthSyncDomain
package import HealthSyncEngine
package import HealthSyncPorts

/// The local store without a command line, for programs that embed the library: runs, reads and deliveries.
package struct EmbeddedStore: Sendable {
    /// A source of the run.
    package enum Source: Sendable {
        /// A path or URL, which is recognized.
        case location(String)
        /// A source that the program opened.
        case opened(any HealthDataSource)
    }

    private let environment: CommandEnvironment
    private var settings: Settings

    /// Creates access with `settings`; their `sources` are not read.
    package init(environment: CommandEnvironment, settings: Settings) {
        self.environment = environment
        self.settings = settings
    }

    /// Imports `sources`, derives the days of `scope` and, if a server is set, delivers what changed.
    ///
    /// - Throws: `SyncFailure`, and `CancellationError` if the calling task is cancelled; the committed part is kept.
    package func run(
        _ scope: RunScope, sources: [Source], options: Sync.Options
    ) async throws -> RunReport {
        try await failingPlainly {
            try await counted(derives: true).report(scope, sources: sources, options: options)
        }
    }

    /// Runs `body` with an engine over the store and the clock of its days, also during a run of another process. Throws
    /// `.noInput` if the store does not exist.
    package func read<Result: Sendable>(
        _ body: (SyncEngine, DayClock) async throws -> Result
    ) async throws -> Result {
        try await use(.reading, withServer: false, body)
    }

    /// Runs `body` with an engine that may change the store. Throws `.noInput` if it does not exist, and `.busy` during a run
    /// of another process.
    package func change<Result: Sendable>(
        _ body: (SyncEngine) async throws -> Result
    ) async throws -> Result {
        try await use(.writing, withServer: true) { engine, _ in try await body(engine) }
    }

    /// Compares the server with the store, and stores the result, also that of a server that cannot be verified. Throws
    /// `.unverifiable` for a server without digests, or without those of derived records.
    package func verify() async throws -> VerificationReport {
        guard settings.server != nil else { throw Self.noServer }
        let log = environment.log(settings.logLevel)
        let run = VerificationRun(
            isComplete: true,
            read: { body in try await use(.reading, withServer: true) { engine, _ in try await body(engine) } },
            change: { try await change($0) }, warn: { log.note($0, level: .warning) })
        let report = try await run.run(types: VerificationRun.sentTypes)
        guard !report.isRecordless else {
            throw SyncFailure(
                .unverifiable, subject: report.destination, reason: "it provides no digests of derived records",
                advice: "update the server")
        }
        return report
    }

    /// The failure of a delivery without a server.
    package static let noServer = SyncFailure(
        .configuration, subject: "server", reason: "no server was named", advice: "open the data with a server")

    /// The user's pause of delivery.
    package var pause: any DeliveryPause { environment.factory.deliveryPause(settings) }

    /// The time of the machine.
    package var time: any TimeSource { environment.time }

    private func use<Result: Sendable>(
        _ access: EngineRequest.Access, withServer: Bool,
        _ body: (SyncEngine, DayClock) async throws -> Result
    ) async throws -> Result {
        if let failure = environment.startFailure { throw failure }
        var store = try await counted(derives: false)
        guard try await environment.status(of: settings.databasePath) != nil else {
            throw SyncFailure(
                .noInput, subject: settings.databasePath, reason: "no database yet",
                advice: "import a source first, or name another folder")
        }
        // Opening a server makes an id of the user profile, which a reader must not write.
        if !withServer { store.settings.server = nil }
        return try await store.access.use(access) { try await body($0.engine, store.settings.clock) }
    }

    private var access: EngineAccess {
        EngineAccess(
            environment: environment, settings: settings, derivesRecorded: settings.metrics == nil,
            log: environment.log(settings.logLevel), progress: environment.progress(.normal))
    }

    /// Runs `body` and throws what is neither a `SyncFailure` nor a cancellation as a failure.
    private func failingPlainly<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            if let failure = environment.startFailure { throw failure }
            return try await body()
        } catch let failure as SyncFailure {
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw SyncFailure(
                .unexpected, subject: "the run", reason: FailureText.of(error),
                advice: "report this as a bug in healthsync")
        }
    }

    /// Returns the same store with the clock of its days (decision 16), or that in which a run derives them.
    private func counted(derives: Bool) async throws -> EmbeddedStore {
        try await environment.factory.backups?.finishRestore(of: .local(dataDirectory: settings.dataDirectory))
        var run = self
        if try await environment.status(of: settings.databasePath) != nil,
            let days = await environment.factory.storedDayZones(settings)
        {
            run.settings.clock =
                ZoneChoice(settings, counted: days, derives: derives, time: environment.time).clock
        }
        return run
    }

    private func report(
        _ scope: RunScope, sources: [Source], options: Sync.Options
    ) async throws -> RunReport {
        try settings.requireSomethingToKeep()
        var opened: [any HealthDataSource] = []
        for source in sources {
            switch source {
            case .location(let text):
                let location = try SourceLocations(environment).location(text, from: environment.workingDirectory)
                opened += try await environment.factory.sources(location, settings).sources
            case .opened(let source): opened.append(source)
            }
        }
        if scope.kind == .daily { try await importPosts(options) }
        return try await access.use(.writing) { [opened] open in
            var options = options
            options.userProfileID = try await UserProfile(environment: environment).id(settings)
            var report = try await open.engine.sync.run(scope, sources: opened, options: options)
            try SyncRun.requireInput(report)
            if try await open.engine.furtherMetrics.takeNotice(after: report) {
                report.notice = FurtherMetricsText.notice
            }
            return report
        }
    }

    /// Imports the posts of phones that wait in the data folder. Those that cannot be decoded are kept, and logged.
    private func importPosts(_ options: Sync.Options) async throws {
        guard let watching = environment.factory.watching,
            try await environment.status(of: InboxState.folder(of: settings)) != nil
        else { return }
        let archive = environment.factory.inbox.archive(settings)
        let posts = InboxImport(
            archive: archive, ledger: watching.ledger(settings), decoders: watching.decoders,
            context: SourceContext(clock: settings.clock, types: environment.factory.typeTable),
            hasher: watching.hasher, time: environment.time)
        var own = options
        own.pushes = false
        own.userProfileID = try await UserProfile(environment: environment).id(settings)
        while try await !archive.waiting(limit: 1).isEmpty {
            let report = try await access.use(.writing) { [own] open in
                try await posts.run { sources in
                    try await open.engine.sync.run(
                        .daily(lookBackDays: settings.lookBackDays), sources: sources, options: own)
                }
            }
            for post in report?.undecoded ?? [] {
                environment.log(settings.logLevel).note(
                    "post \(post.id) cannot be decoded: \(post.reason)", level: .warning)
            }
        }
    }
}
