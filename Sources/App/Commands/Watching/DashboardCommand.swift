import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync dashboard`
enum DashboardCommand: Command {
    static let declaration = CommandDeclaration(
        "dashboard", "Show the stored data in the browser",
        discussion: [
            "Serves pages of the local database on the loopback address until Ctrl-C. May run during other runs. Connects to "
                + "the configured server only when you press a button of the Sync page.",
            "Starts without data, too: drop the export of your phone on the page to import it.",
        ],
        options: [
            .value("port", "PORT", "Listen on this port of 127.0.0.1; 0 selects a free port", default: "8765"),
            .flag("open", "Open the pages in the browser"),
        ],
        examples: ["dashboard --open", "dashboard --port 0"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        try await context.makeDatabase(of: settings)
        let port = UInt16(try context.parsed.integer("port", in: 0...65_535) ?? 8765)
        let reception = InboxReception(address: context.environment.factory.inbox.usualAddress, state: .none)
        try await DashboardProcess(
            context: context, port: port, opensBrowser: context.parsed.has("open"), reception: { reception }
        ).show(settings) { address in
            context.show(text: ["healthsync dashboard at \(address)"], json: ["address": address])
        }
        return .done
    }
}

/// The dashboard of a process. It continues in another zone when the days are recomputed in it.
struct DashboardProcess {
    let context: CommandContext
    /// The port on the loopback address; 0 selects a free port.
    let port: UInt16
    let opensBrowser: Bool
    /// Returns whether and where this process receives posts.
    let reception: @Sendable () -> InboxReception

    /// Signals that the zone of the days may have changed.
    private typealias Signals = (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// Serves the pages until the task is cancelled. Runs that the user started there are then cancelled, too.
    func show(_ settings: Settings, ready: @escaping @Sendable (_ address: String) -> Void) async throws {
        let signals: Signals = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let runs = PageRuns(context: context.quiet) { signals.continuation.yield() }
        do {
            try await context.withOpenEngine(.reading, settings: settings) { open in
                var request = request(settings, open, runs, signals, ready: ready)
                request.follow = { show in
                    try await follow(signals, from: settings) { settings, open in
                        show(self.request(settings, open, runs, signals, ready: ready))
                    }
                }
                try await context.environment.factory.showDashboard(request)
            }
        } catch {
            await runs.stop()
            throw error
        }
        await runs.stop()
    }

    private func request(
        _ settings: Settings, _ open: OpenEngine, _ runs: PageRuns, _ signals: Signals,
        ready: @escaping @Sendable (_ address: String) -> Void
    ) -> DashboardRequest {
        let factory = context.environment.factory
        return DashboardRequest(
            open: open, shoeActions: LockedShoeActions(context: context, settings: settings),
            outboxActions: LockedOutboxActions(context: context, settings: settings), deliveryActions: runs,
            importActions: runs, uploadFolder: settings.dataDirectory + "/uploads",
            deviceActions: factory.inbox.pairedDevices(settings, context.environment), reception: reception,
            clock: settings.clock, catalog: MetricCatalog(settings, factory: factory),
            notices: notices(settings, open.engine, signals), port: port, opensBrowser: opensBrowser,
            follow: { _ in }, ready: ready)
    }

    /// Calls `show` with an engine in the zone of the days each time it changed. The engine is open until the next change,
    /// and while requests use it until the process ends.
    private func follow(
        _ signals: Signals, from settings: Settings, show: @escaping @Sendable (Settings, OpenEngine) -> Void
    ) async throws {
        var shown = settings
        try await withThrowingTaskGroup(of: Void.self) { group in
            for await _ in signals.stream {
                let current = try await context.quiet.localSettings()
                guard !current.clock.countsDays(as: shown.clock) else { continue }
                shown = current
                group.addTask { [current] in
                    try await context.withOpenEngine(.reading, settings: current) { open in
                        show(current, open)
                        // Ends when the process is cancelled.
                        while true { try await context.environment.time.wait(milliseconds: 3_600_000) }
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Returns the notices of every page: that days are out of date or were recomputed in another zone since the start,
    /// and, in the footer, about the time zone and about changes of the past.
    private func notices(
        _ settings: Settings, _ engine: SyncEngine, _ signals: Signals
    ) -> @Sendable () async -> PageNotices {
        { [shown = settings.clock, context] in
            guard let asked = try? await context.settings(), let stored = try? await engine.zones.run(),
                let counted = stored.days
            else { return PageNotices() }
            let choice = ZoneChoice(
                asked, counted: counted, derives: false, time: context.environment.time)
            guard choice.clock.countsDays(as: shown) else {
                signals.continuation.yield()
                return PageNotices(
                    top: "Days are now in \(counted.zones.name). Reload the page to show them in that time zone.")
            }
            let zone =
                choice.notice
                ?? ZoneEvidence.notice(
                    of: stored.evidence, countedBy: choice.clock, context.environment.time.zoneRules)
            let days = try? await engine.outOfDate.run()
            let outOfDate = days?.extent.map {
                PageNotices.OutOfDate(count: days?.count ?? 0, extent: $0, command: OutOfDateView.command)
            }
            let change = try? await engine.history.shown()
            return PageNotices(
                outOfDate: outOfDate, zone: zone, history: change.map { HistoryChangeView(change: $0).text })
        }
    }
}

/// Changes shoes on behalf of the dashboard, which otherwise only reads. Each action takes the run lock and opens the
/// database for writing. Throws `.busy` during another run.
private struct LockedShoeActions: ShoeActions {
    let context: CommandContext
    let settings: Settings

    func run<Result: Sendable>(_ action: ShoeAction<Result>) async throws -> Result {
        // Do not create a new database if the user deleted this one while the dashboard was running.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await $0.shoes.run(action) }
    }
}

/// Changes the outbox on behalf of the dashboard, which otherwise only reads. Each action takes the run lock and opens
/// the database for writing.
private struct LockedOutboxActions: OutboxActions {
    let context: CommandContext
    let settings: Settings

    func retry(ids: [Int64]?) async throws -> Int {
        // Do not create a new database if the user deleted this one while the dashboard was running.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await $0.outbox.retry(ids: ids) }
    }
}
