import Foundation
import HealthSyncCommands
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem

/// Runs the receiving server.
struct LiveReceiver: Sendable {
    let time: any TimeSource
    let console: Console
    let decoders: [any InboxDecoder]
    private let log: any EventLog

    private init(time: any TimeSource, console: Console, decoders: [any InboxDecoder], log: any EventLog) {
        self.time = time
        self.console = console
        self.decoders = decoders
        self.log = RepeatedEventFilter(log, time: time)
    }

    /// Returns the factory that the commands of the receiving server use.
    ///
    /// - Parameter decoders: recognize the posts of phones.
    static func factory(
        time: any TimeSource, console: Console, decoders: [any InboxDecoder]
    ) -> ReceivingFactory {
        ReceivingFactory(
            serve: {
                try await LiveReceiver(time: time, console: console, decoders: decoders, log: $0.log).serve($0)
            },
            tokens: { try await LiveReceivedStore.tokens(of: $0) },
            hasher: LibcryptoHasher())
    }

    func serve(_ request: ServeRequest) async throws {
        let tokens = try await LiveReceivedStore.tokens(of: request.store)
        let settings = try settings(request)
        let allowsOpenAccess = settings.isLoopback && !settings.isBehindProxy
        try await check(settings, allowsOpenAccess: allowsOpenAccess, tokens: tokens)
        try await LiveReceivedStore(time: time).use(
            request.store, database: request.database, linesFolder: request.linesFolder
        ) { store in
            try await LiveUserInboxes(time: time).use(request) { inboxes in
                try await serve(
                    request, settings: settings, store: store, inboxes: inboxes, tokens: tokens,
                    allowsOpenAccess: allowsOpenAccess)
            }
        }
    }

    private func serve(
        _ request: ServeRequest, settings: DaemonSettings, store: any ReceivedDataStore, inboxes: UserInboxes?,
        tokens: any AccessTokenStore, allowsOpenAccess: Bool
    ) async throws {
        let limits = ServerLimits(request.access)
        let metrics = ServerMetrics()
        var observers: [any RequestObserver] = [metrics]
        if let path = request.accessLog { observers.append(try AccessLog(path: path)) }
        let crossOrigin = CrossOriginRules(request.access.origins)
        let authenticator = Authenticator(
            store: tokens, hasher: LibcryptoHasher(), time: time, allowsOpenAccess: allowsOpenAccess,
            crossOrigin: crossOrigin)
        let api = ReceiverAPI(
            services: ReceiverServices(
                store: store, hasher: LibcryptoHasher(), time: time, limits: limits, log: log,
                version: request.version, inboxes: inboxes),
            authenticator: authenticator, metrics: metrics, crossOrigin: crossOrigin,
            acceptsTokensInPaths: request.access.admitsLocalNetwork,
            inbox: inboxes.map { inboxes in
                InboxAPI(
                    recipients: .users(inboxes, tokens: tokens), decoders: decoders, hasher: LibcryptoHasher(),
                    time: time, log: log
                ) { inboxes.received(for: $0.user) }
            })
        let pageAuthenticator = TokenPageAuthenticator(
            authenticator: authenticator, tokens: tokens, hasher: LibcryptoHasher(), random: SystemRandom(), time: time,
            log: log, isLoopback: allowsOpenAccess)
        let host = PageHost(
            pages: pages(request, store: store, tokens: tokens, receivesPosts: inboxes != nil),
            authenticator: pageAuthenticator, api: api)
        let daemon = try HTTPDaemon(
            settings: settings, limits: limits, router: host, observer: RequestObservers(observers), time: time,
            clock: MonotonicClock(zonesOf: time))
        try await serve(request, on: daemon, store: store) {
            authenticator.forgetTokens()
            if let tls = try tls(request) { try daemon.use(tls) }
        }
        inboxes?.endWaits()
        // Unstructured: this task is cancelled, but requests in progress are to be finished.
        _ = await Task { await daemon.stop() }.value
    }

    /// Serves until the calling task is cancelled, and says when it begins and ends.
    ///
    /// - Parameter reload: called after each SIGHUP.
    private func serve(
        _ request: ServeRequest, on daemon: HTTPDaemon, store: any ReceivedDataStore,
        reload: @escaping @Sendable () throws -> Void
    ) async throws {
        // Before the server says that it is ready: a service manager may send a signal at once.
        let hangups = HangupSignals()
        defer { withExtendedLifetime(hangups) {} }
        request.ready(daemon.address)
        // A parent process may wait for this line.
        console.flush()
        ServiceNotifier.notify("READY=1", variables: request.variables)
        do {
            try await run(daemon, store: store, hangups: hangups.events, reload: reload)
        } catch is CancellationError {
            // The server ends when its task is cancelled.
        }
        ServiceNotifier.notify("STOPPING=1", variables: request.variables)
    }

    private func pages(
        _ request: ServeRequest, store: any ReceivedDataStore, tokens: any AccessTokenStore, receivesPosts: Bool
    ) -> DashboardPages {
        let priority = request.originPriority
        var sources = DashboardSources(
            repository: { ReceivedHealthRepository(store: store, user: $0, priority: priority) },
            catalog: request.catalog, clock: request.clock, time: time, log: log)
        sources.rulesOfViewers = { [time] name throws(UnknownTimeZone) in try time.zoneRules(named: name) }
        return .receiving(
            sources, received: store, tokens: tokens, hasher: LibcryptoHasher(), random: SystemRandom(),
            receivesPosts: receivesPosts)
    }

    /// - Parameter reload: called after each of `hangups`.
    private func run(
        _ daemon: HTTPDaemon, store: any ReceivedDataStore, hangups: AsyncStream<Void>,
        reload: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.watch() }
            group.addTask {
                for await _ in hangups {
                    do {
                        try reload()
                        log.note("certificate and tokens were read again", level: .info)
                    } catch {
                        log.note("the former certificate stays in use: \(FailureText.of(error))", level: .warning)
                    }
                }
                try Task.checkCancellation()
            }
            group.addTask {
                while true {
                    // Clients stop retrying a batch much earlier. Records remain known without a time limit.
                    let oldest = time.now().advanced(bySeconds: -30 * 86_400)
                    do {
                        try await store.deleteBatchKeys(before: oldest)
                    } catch {
                        // Keys that remain for another hour only take space.
                        log.note("expired batch keys could not be deleted: \(FailureText.of(error))", level: .error)
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
        if !settings.isLoopback, settings.tls == nil, !settings.isBehindProxy, !settings.acceptsOnlyPrivateAddresses {
            throw SyncFailure(
                .usage, subject: "--listen", reason: "other machines can reach \(settings.host) without encryption",
                advice: "add --tls-cert and --tls-key, --behind-proxy, or --lan for devices in the private network")
        }
        guard try await tokens.tokens().isEmpty else { return }
        guard allowsOpenAccess else {
            throw SyncFailure(
                .configuration, subject: settings.host, reason: "this server requires tokens, and none exists",
                advice: "create one with `healthsync token create` and the same --store")
        }
        log.note(
            "no token exists, so every program on this machine may read and change what is stored; `healthsync token create` "
                + "with the same --store makes one", level: .warning)
    }

    private func settings(_ request: ServeRequest) throws -> DaemonSettings {
        var settings = DaemonSettings(
            host: request.host, port: request.port, tls: try tls(request),
            isBehindProxy: request.access.proxies != nil)
        // Before the checks: they concern the address that clients reach.
        settings.use(try ServiceSocket.passed(request.variables))
        settings.acceptsOnlyPrivateAddresses = request.access.admitsLocalNetwork
        let proxies = try (request.access.proxies ?? []).map { text in
            guard let range = AddressRange(text) else {
                throw SyncFailure(
                    .usage, subject: "--behind-proxy", reason: "invalid address \"\(text)\"",
                    advice: "write addresses or networks, such as 10.0.0.5,192.168.0.0/16")
            }
            return range
        }
        if !proxies.isEmpty { settings.proxies = proxies }
        return settings
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

extension ServerLimits {
    fileprivate init(_ access: ServeAccess) {
        self.init()
        if let bound = access.connections { connections = bound }
        if let bound = access.connectionsPerAddress {
            connectionsPerAddress = .init(bound, includesLoopback: true)
        }
        if let bound = access.requestsPerMinute { requestsPerMinute = .init(bound, includesLoopback: true) }
    }
}

/// Opens the stores of a receiving server.
private struct LiveReceivedStore: Sendable {
    let time: any TimeSource

    /// Opens the tokens of the store at `location`.
    static func tokens(of location: ReceivedStoreLocation) async throws -> any AccessTokenStore {
        switch location {
        case .sqlite(let path): SQLiteAccessTokenStore(path: ReceivedStoreLocation.tokensPath(beside: path))
        case .postgres(let conninfo): try await PostgresAccessTokenStore.open(at: try PostgresAddress(conninfo))
        }
    }

    /// Opens the store, gives it to `body` and closes it.
    ///
    /// - Parameters:
    ///   - location: The file or the database.
    ///   - database: How PostgreSQL is used.
    ///   - linesFolder: The folder of `steps.jsonl`; `nil` for no such file.
    ///   - body: Uses the store.
    func use(
        _ location: ReceivedStoreLocation, database: DatabaseUse, linesFolder: String?,
        _ body: (any ReceivedDataStore) async throws -> Void
    ) async throws {
        switch location {
        case .sqlite(let path):
            let lock = try await RunLock.acquire(
                inFolder: (path as NSString).deletingLastPathComponent, waitMilliseconds: 2_000, time: time)
            defer { lock.release() }
            try await closing(
                SQLiteReceivedDataStore.open(
                    at: path, time: time, linesFolder: linesFolder, line: linesFolder == nil ? nil : StepsLine.bytes),
                after: body)
        case .postgres(let conninfo):
            // `serve` rejects a lines folder with PostgreSQL.
            var address = try PostgresAddress(conninfo)
            address.statementTimeout = database.statementTimeout ?? 0
            var options = PostgresStoreOptions()
            if let connections = database.connections { options.connections = connections }
            try await closing(PostgresReceivedDataStore.open(at: address, options: options), after: body)
        }
    }

    private func closing(
        _ store: any ReceivedDataStore, after body: (any ReceivedDataStore) async throws -> Void
    ) async throws {
        do {
            try await body(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }
}

/// Opens the inboxes of a receiving server.
private struct LiveUserInboxes {
    let time: any TimeSource

    /// Calls `body` with the inboxes; with `nil` if the server has none.
    ///
    /// - Throws: `SyncFailure` with `.busy` if another server uses the folder, and with `.storage` or `.diskFull`.
    func use(_ request: ServeRequest, _ body: (UserInboxes?) async throws -> Void) async throws {
        guard let inbox = request.inbox else { return try await body(nil) }
        // Each server counts what the posts take, so two of them would exceed the quota.
        let lock = try await RunLock.acquire(inFolder: inbox.folder, waitMilliseconds: 2_000, time: time)
        defer { lock.release() }
        let inboxes = UserInboxes(folder: inbox.folder, quota: inbox.quota)
        try inboxes.prepare()
        try await body(inboxes)
    }
}
