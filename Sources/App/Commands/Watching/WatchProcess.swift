import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// A watch process: the inbox, the watched files, the daily run and the dashboard, until its task is cancelled.
struct WatchProcess {
    let context: CommandContext
    let options: WatchOptions
    let runs: WatchRuns
    let reception: WatchReception

    func run() async throws {
        let factory = runs.factory
        let output = WatchOutput(context: context, flush: factory.flush, clock: runs.settings.clock)
        try await runs.prepare()
        let archive = context.environment.factory.inbox.archive(runs.settings)
        let signals = WatchSignals()
        // Before the process reports that it is ready.
        let changes = factory.changes.changes(of: runs.settings.sources.filter { $0.hasPrefix("/") })
        let readiness = Readiness(parts: (options.inbox == nil ? 0 : 1) + (options.dashboardPort == nil ? 0 : 1)) {
            factory.notify("READY=1")
        }
        let loop = WatchLoop(
            work: runs.work(archive: archive) { output.report($0) }, signals: signals, time: context.environment.time
        ) { output.report($0) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await loop.run() }
                group.addTask { await observe(changes, signals) }
                group.addTask { try await sendWaiting(archive, signals) }
                group.addTask { try await sendDaily(signals) }
                group.addTask { try await announceEnd(output) }
                if let address = options.inbox {
                    group.addTask { try await listen(address, archive, signals, output, readiness) }
                }
                if let pull = try pull(signals, output) {
                    group.addTask { try await pull.run() }
                }
                if let port = options.dashboardPort {
                    group.addTask { try await showDashboard(port, output, readiness) }
                }
                signals.send(.posts)
                signals.send(.prune)
                while try await group.next() != nil {}
            }
        } catch is CancellationError {
            // The process ends when its task is cancelled.
        }
    }

    /// Returns what fetches the posts on a server; `nil` if none is configured.
    private func pull(_ signals: WatchSignals, _ output: WatchOutput) throws -> PullLoop? {
        guard let server = runs.settings.inboxServer, let pulling = context.environment.factory.pulling else {
            return nil
        }
        return PullLoop(
            pull: InboxPull(
                server: try pulling.server(server, runs.settings), archive: pulling.archive(runs.settings)),
            time: context.environment.time, archived: { signals.send(.posts) }, report: { output.report($0) })
    }

    /// Sends a signal for each source that changed, and at the start for each that cannot be observed.
    private func observe(_ changes: AsyncStream<String>, _ signals: WatchSignals) async {
        for location in runs.settings.sources where !location.hasPrefix("/") { signals.send(.source(location)) }
        for await path in changes { signals.send(.source(path)) }
    }

    /// Sends a signal for posts that other commands make wait, such as `inbox retry`.
    private func sendWaiting(_ archive: any InboxArchive, _ signals: WatchSignals) async throws {
        while true {
            try await context.environment.time.wait(milliseconds: 1_000)
            // An archive that cannot be read is reported when the posts are imported.
            let isIdle = (try? await archive.waiting(limit: 1).isEmpty) ?? false
            if !isIdle { signals.send(.posts) }
        }
    }

    private func sendDaily(_ signals: WatchSignals) async throws {
        let time = context.environment.time
        while true {
            let due = options.hour.next(after: time.now(), by: runs.settings.clock)
            // In short steps: while the machine sleeps, the clock of a wait may stand still.
            while case let left = due.milliseconds - time.now().milliseconds, left > 0 {
                try await time.wait(milliseconds: min(left, 60_000))
            }
            signals.send(runs.settings.sources.isEmpty ? .prune : .daily)
        }
    }

    /// Announces the end when the task is cancelled.
    private func announceEnd(_ output: WatchOutput) async throws {
        do {
            while true { try await context.environment.time.wait(milliseconds: 3_600_000) }
        } catch {
            output.stopping()
            runs.factory.notify("STOPPING=1")
            throw error
        }
    }

    private func listen(
        _ address: ListenAddress, _ archive: any InboxArchive, _ signals: WatchSignals, _ output: WatchOutput,
        _ readiness: Readiness
    ) async throws {
        try await runs.factory.listen(
            InboxListenRequest(
                host: address.host, port: address.port, admitsLocalNetwork: options.admitsLocalNetwork,
                settings: runs.settings, archive: archive, version: context.environment.version,
                ready: {
                    reception.accepts(at: $0)
                    output.listening($0)
                    readiness.reached()
                },
                received: {
                    output.received($0)
                    signals.send(.posts)
                }))
    }

    private func showDashboard(_ port: UInt16, _ output: WatchOutput, _ readiness: Readiness) async throws {
        let settings = try await context.localSettings()
        try await DashboardProcess(
            context: context, port: port, opensBrowser: false, reception: { reception.now }
        ).show(settings) {
            output.showsDashboard($0)
            readiness.reached()
        }
    }
}
