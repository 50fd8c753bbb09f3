import HealthSyncCommands
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem

/// Puts the pages over the local database together.
struct LiveDashboard: Sendable {
    let time: any TimeSource
    let console: Console

    func show(_ request: DashboardRequest) async throws {
        let ports = request.engine.ports
        let log = RepeatedEventFilter(StandardErrorLog(console: console, level: .normal), time: time)
        let pages = DashboardPages.local(
            DashboardSources(
                repository: { _ in ports.repository }, catalog: request.catalog, clock: request.clock, time: time,
                log: log, notice: request.notice),
            home: HomeSources(
                samples: ports.pages, intervals: ports.intervals, outbox: ports.outbox,
                outboxActions: request.outboxActions,
                server: {
                    try await request.engine.displayedServer().map {
                        HomeServer(destination: $0.destination, isConfigured: $0.isConfigured)
                    }
                }, hold: ports.hold, runs: request.engine,
                verification: { try await request.engine.verificationState(of: $0) }, shoes: request.engine,
                shoeActions: request.shoeActions))
        var settings = DaemonSettings(port: request.port)
        settings.bindFailureAdvice = "choose another port with --port; 0 selects a free port"
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(),
            router: PageHost(
                pages: pages,
                authenticator: LoopbackPageAuthenticator(hasher: LibcryptoHasher(), random: SystemRandom())),
            observer: RequestObservers([]), time: time)
        request.ready(daemon.address)
        // Whoever started it waits for this line.
        console.flush()
        if request.opensBrowser, !BrowserLaunch.open(daemon.address) {
            console.writeError("healthsync: nothing here opens a browser; open \(daemon.address) yourself")
        }
        do {
            try await daemon.watch()
        } catch is CancellationError {
            // Told to stop: that is how it ends.
        }
        // Not structured: this task is cancelled, and what is in hand is to be finished all the same.
        _ = await Task { await daemon.stop() }.value
    }
}
