import Foundation
import HealthSyncCommands
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem

/// Runs the receiving server.
struct LiveReceiver: Sendable {
    let time: any TimeSource
    let console: Console
    /// Not silenced by `--quiet`: problems of a server are errors.
    private let log: any EventLog

    private init(time: any TimeSource, console: Console) {
        self.time = time
        self.console = console
        log = RepeatedEventFilter(StandardErrorLog(console: console, level: .normal), time: time)
    }

    /// Returns the factory that the commands of the receiving server use.
    static func factory(time: any TimeSource, console: Console) -> ReceivingFactory {
        ReceivingFactory(
            serve: { try await LiveReceiver(time: time, console: console).serve($0) },
            tokens: { try await LiveReceivedStore.tokens(of: $0) },
            hasher: LibcryptoHasher())
    }

    func serve(_ request: ServeRequest) async throws {
        let tokens = try await LiveReceivedStore.tokens(of: request.store)
        let settings = DaemonSettings(
            host: request.host, port: request.port, tls: try tls(request), isBehindProxy: request.isBehindProxy)
        let allowsOpenAccess = settings.isLoopback && !request.isBehindProxy
        try await check(settings, allowsOpenAccess: allowsOpenAccess, tokens: tokens)
        try await LiveReceivedStore(time: time).use(request.store, linesFolder: request.linesFolder) { store in
            try await serve(
                request, settings: settings, store: store, tokens: tokens, allowsOpenAccess: allowsOpenAccess)
        }
    }

    private func serve(
        _ request: ServeRequest, settings: DaemonSettings, store: any ReceivedDataStore,
        tokens: any AccessTokenStore, allowsOpenAccess: Bool
    ) async throws {
        var limits = ServerLimits()
        if let bound = request.connectionsPerAddress {
            limits.connectionsPerAddress = .init(bound, includesLoopback: true)
        }
        if let bound = request.requestsPerMinute {
            limits.requestsPerMinute = .init(bound, includesLoopback: true)
        }
        let metrics = ServerMetrics()
        var observers: [any RequestObserver] = [metrics]
        if let path = request.accessLog { observers.append(try AccessLog(path: path)) }
        let authenticator = Authenticator(
            store: tokens, hasher: LibcryptoHasher(), time: time, allowsOpenAccess: allowsOpenAccess)
        let api = ReceiverAPI(
            services: ReceiverServices(
                store: store, hasher: LibcryptoHasher(), time: time, limits: limits, log: log,
                version: request.version),
            authenticator: authenticator, metrics: metrics)
        let pageAuthenticator = TokenPageAuthenticator(
            authenticator: authenticator, tokens: tokens, hasher: LibcryptoHasher(), random: SystemRandom(), time: time,
            log: log, isLoopback: allowsOpenAccess)
        let host = PageHost(
            pages: pages(request, store: store, tokens: tokens), authenticator: pageAuthenticator, api: api)
        let daemon = try HTTPDaemon(
            settings: settings, limits: limits, router: host, observer: RequestObservers(observers), time: time)
        request.ready(daemon.address)
        // A parent process may wait for this line.
        console.flush()
        ServiceNotifier.notify("READY=1", variables: request.variables)
        do {
            try await run(daemon, store: store)
        } catch is CancellationError {
            // The server ends when its task is cancelled.
        }
        ServiceNotifier.notify("STOPPING=1", variables: request.variables)
        // Unstructured: this task is cancelled, but requests in progress are to be finished.
        _ = await Task { await daemon.stop() }.value
    }

    private func pages(
        _ request: ServeRequest, store: any ReceivedDataStore, tokens: any AccessTokenStore
    ) -> DashboardPages {
        let priority = request.originPriority
        let sources = DashboardSources(
            repository: { ReceivedHealthRepository(store: store, user: $0, priority: priority) },
            catalog: request.catalog, clock: request.clock, time: time, log: log)
        return .receiving(
            sources, received: store, tokens: tokens, hasher: LibcryptoHasher(), random: SystemRandom())
    }

    private func run(_ daemon: HTTPDaemon, store: any ReceivedDataStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.watch() }
            group.addTask {
                while true {
                    // Clients stop retrying a batch much earlier. Records remain known without a time limit.
                    let oldest = time.now().advanced(bySeconds: -30 * 86_400)
                    do {
                        try await store.deleteBatchKeys(before: oldest)
                    } catch {
                        // Keys that remain for another hour only take space.
                        log.note("expired batch keys could not be deleted: \(FailureText.of(error))", isDetail: false)
                    }
                    try await time.wait(milliseconds: 3_600_000)
                }
            }
            try await group.waitForAll()
        }
    }

    private func check(
        _ settings: DaemonSettings, allowsOpenAccess: Bool, tokens: any AccessTokenStore
    ) async throws {
        if !settings.isLoopback, settings.tls == nil, !settings.isBehindProxy {
            throw SyncFailure(
                .usage, subject: "--listen", reason: "other machines can reach \(settings.host) without encryption",
                advice: "add --tls-cert and --tls-key, or --behind-proxy")
        }
        if !allowsOpenAccess, try await tokens.tokens().isEmpty {
            throw SyncFailure(
                .configuration, subject: settings.host, reason: "this server requires tokens, and none exists",
                advice: "create one with `healthsync token create` and the same --store")
        }
    }

    private func tls(_ request: ServeRequest) throws -> DaemonSettings.TLS? {
        guard let paths = request.tls else { return nil }
        func text(_ path: String) throws -> String {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw SyncFailure(
                    .noInput, subject: path, reason: "cannot be read", advice: "use a PEM file that you may read")
            }
            return text
        }
        return DaemonSettings.TLS(certificate: try text(paths.certificate), privateKey: try text(paths.key))
    }
}
