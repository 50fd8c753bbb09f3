import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The runs of a watch process. Each opens the database under the run lock and closes it, so that other commands can
/// run in between.
struct WatchRuns: Sendable {
    let context: CommandContext
    let settings: Settings
    let factory: WatchFactory

    /// Creates the database if it does not exist. Waits while another run holds the lock.
    func prepare() async throws { try await context.makeDatabase(of: settings) }

    /// Returns the work of the loop. `archive` contains the posts; `report` receives failures of single sources.
    func work(
        archive: any InboxArchive, report: @escaping @Sendable (WatchEvent) -> Void
    ) -> WatchWork {
        WatchWork(
            importPosts: { try await importPosts(archive) },
            importSource: { try await importSources([$0], report: nil) },
            daily: { try await importSources(settings.sources, report: report) },
            deliver: { try await deliver() },
            prune: {
                let time = context.environment.time
                _ = try await archive.prune(
                    before: time.now().advanced(bySeconds: -Int64(settings.inbox.days) * 86_400),
                    bytes: settings.inbox.bytes)
            })
    }

    /// Imports waiting posts; returns `nil` if none waits.
    func importPosts(_ archive: any InboxArchive) async throws -> InboxReport? {
        // Before the lock is taken and the database is opened.
        guard try await !archive.waiting(limit: 1).isEmpty else { return nil }
        return try await use(.writing) { engine, settings in
            let environment = context.environment
            return try await InboxImport(
                archive: archive, ledger: factory.ledger(settings), decoders: factory.decoders,
                context: SourceContext(clock: settings.clock, types: environment.factory.typeTable),
                hasher: factory.hasher, time: environment.time
            ).run { try await sync($0, settings, engine) }
        }
    }

    /// Imports the sources at `locations`. With `report`, one that cannot be opened is reported and the others are
    /// imported.
    private func importSources(
        _ locations: [String], report: (@Sendable (WatchEvent) -> Void)?
    ) async throws -> RunReport {
        var sources: [any HealthDataSource] = []
        for location in locations {
            do {
                sources += try await context.environment.factory.sources(location, settings).sources
            } catch let failure as SyncFailure {
                guard let report else { throw failure }
                report(.failed(failure))
            }
        }
        return try await use(.writing) { [sources] engine, settings in try await sync(sources, settings, engine) }
    }

    private func sync(
        _ sources: [any HealthDataSource], _ settings: Settings, _ engine: SyncEngine
    ) async throws -> RunReport {
        var options = Sync.Options()
        options.pushes = false
        options.userProfileID = try await UserProfile(environment: context.environment).id(settings)
        var report = try await engine.sync.run(
            .daily(lookBackDays: settings.lookBackDays), sources: sources, options: options)
        report.notice = try await context.furtherMetricsNotice(after: report, engine)
        return report
    }

    private func deliver() async throws -> WatchDelivery {
        guard let server = settings.server else { return .nothing }
        let isDone = try await use(.reading) { engine, _ in try await engine.outbox.isEmpty(destination: server.url) }
        guard !isDone else { return .nothing }
        if let since = context.environment.factory.deliveryPause(settings).since() {
            return WatchDelivery(delivered: 0, isUnfinished: true, trouble: nil, heldSince: since)
        }
        let delivery = try await use(.writing) { engine, _ in
            try await engine.push.run(deadlineSeconds: Self.deliverySeconds)?.delivery
        }
        guard let delivery else { return .nothing }
        return WatchDelivery(
            delivered: delivery.delivered, isUnfinished: delivery.left > 0,
            trouble: delivery.left > 0 && ![.deadline, .held].contains(delivery.ending)
                ? delivery.failure?.reason : nil,
            heldSince: delivery.heldSince)
    }

    /// Runs `body` with an open engine and the settings by which it counts days.
    private func use<Result: Sendable>(
        _ access: EngineRequest.Access, _ body: (SyncEngine, Settings) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        if let choice = try await context.zoneChoice(settings, derives: true) { settings.clock = choice.clock }
        let engine = EngineAccess(
            environment: context.environment, settings: settings, derivesRecorded: settings.metrics == nil,
            log: context.environment.log(settings.logLevel), progress: NoProgress())
        return try await engine.use(access) { [settings] in try await body($0.engine, settings) }
    }

    /// No request begins after this time, because posts and files wait meanwhile.
    private static let deliverySeconds: Int64 = 10
}

extension WatchDelivery {
    fileprivate static let nothing = WatchDelivery(delivered: 0, isUnfinished: false, trouble: nil)
}

/// Shows no progress: the output of a watch process is read from a log.
private struct NoProgress: ProgressReporter {
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}
