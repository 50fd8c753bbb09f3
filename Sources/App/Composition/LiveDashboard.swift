import HealthSyncCommands
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import Synchronization

/// Serves the pages of the local database.
struct LiveDashboard: Sendable {
    let time: any TimeSource
    let console: Console

    func show(_ request: DashboardRequest) async throws {
        let uploads = FolderUploads(folder: request.uploadFolder)
        let pages = ReplaceablePages(pages(request, uploads))
        var settings = DaemonSettings(port: request.port)
        settings.bindFailureAdvice = "choose another port with --port; 0 selects a free port"
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(),
            router: PageHost(
                pages: pages,
                authenticator: LoopbackPageAuthenticator(hasher: LibcryptoHasher(), random: SystemRandom())),
            observer: RequestObservers([]), time: time, clock: MonotonicClock(zonesOf: time))
        request.ready(daemon.address)
        // A parent process may wait for this line.
        console.flush()
        if request.opensBrowser, !BrowserLaunch.open(daemon.address) {
            console.writeError("healthsync: no browser was found; open \(daemon.address)")
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await daemon.watch() }
                group.addTask { try await request.follow { pages.replace(with: self.pages($0, uploads)) } }
                while try await group.next() != nil {}
            }
        } catch is CancellationError {
            // The server ends when its task is cancelled.
        }
        // Unstructured: this task is cancelled, but requests in progress are to be finished.
        _ = await Task { await daemon.stop() }.value
    }

    private func pages(_ request: DashboardRequest, _ uploads: any FileUploads) -> DashboardPages {
        let (engine, ports) = (request.open.engine, request.open.ports)
        let log = RepeatedEventFilter(ports.log, time: time)
        return DashboardPages.local(
            DashboardSources(
                repository: { _ in ports.repository }, catalog: request.catalog, clock: request.clock, time: time,
                log: log, notices: request.notices),
            home: LocalSources(
                samples: ports.pages, intervals: ports.intervals, outbox: ports.outbox,
                outboxActions: request.outboxActions, deliveryActions: request.deliveryActions,
                server: {
                    try await engine.server.run().map {
                        KnownServer(destination: $0.destination, isConfigured: $0.isConfigured)
                    }
                }, hold: ports.hold, runs: engine.runs,
                verification: { try await engine.verdict.state(of: $0) }, shoes: engine.shoes,
                shoeActions: request.shoeActions,
                devices: DeviceSources(
                    actions: request.deviceActions, qrCodes: LibqrencodeEncoder(), reception: request.reception),
                imports: request.importActions, uploads: uploads))
    }
}

/// Pages that others may replace while they are served.
private final class ReplaceablePages: WebPages {
    private let current: Mutex<any WebPages>

    init(_ pages: any WebPages) { current = Mutex(pages) }

    /// Replaces the pages for all further requests.
    func replace(with pages: any WebPages) { current.withLock { $0 = pages } }

    private var pages: any WebPages { current.withLock { $0 } }

    func route(at path: [String]) -> WebRoute? { pages.route(at: path) }
    func uploads(at path: [String]) -> (any FileUploads)? { pages.uploads(at: path) }
    func answer(_ request: WebRequest) async -> WebResponse { await pages.answer(request) }
    func loginPage(afterFailure: Bool) -> WebResponse { pages.loginPage(afterFailure: afterFailure) }
    func errorPage(status: Int, reason: String) -> WebResponse { pages.errorPage(status: status, reason: reason) }
}
