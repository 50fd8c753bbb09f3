import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools

/// A receiving server on a free loopback port, with stores in memory.
struct ServerUnderTest {
    let daemon: HTTPDaemon
    let tokens: InMemoryAccessTokenStore
    let time: any TimeSource
    var port: Int { daemon.port }

    /// Starts a server, calls `body` with it and stops it. With `time`, the server uses this clock. Slow connections are
    /// closed only if `closesSlowConnections`, because on a busy machine each may be slow.
    static func run<Result>(
        limits: ServerLimits = ServerLimits(), allowsOpenAccess: Bool = true, isBehindProxy: Bool = false,
        proxies: [AddressRange] = AddressRange.loopback,
        store: any ReceivedDataStore = InMemoryReceivedDataStore(), time: SteppedTime? = nil,
        closesSlowConnections: Bool = false, log: any EventLog = CollectedEvents(), inboxes: UserInboxes = .empty(),
        _ body: (ServerUnderTest) async throws -> Result
    ) async throws -> Result {
        try await run(
            limits: limits, allowsOpenAccess: allowsOpenAccess, proxies: isBehindProxy ? proxies : nil, store: store,
            time: time, closesSlowConnections: closesSlowConnections, log: log, inboxes: inboxes,
            hosting: { api, _, _ in api }, body)
    }

    /// The authentication of viewers.
    enum PageAccess {
        case loopback
        case tokens
    }

    /// The same with pages in addition to the API.
    static func runPages<Result>(
        access: PageAccess, _ body: (ServerUnderTest) async throws -> Result
    ) async throws -> Result {
        try await run(
            limits: ServerLimits(), allowsOpenAccess: true, proxies: nil, store: InMemoryReceivedDataStore(),
            time: nil, closesSlowConnections: false, log: CollectedEvents(), inboxes: .empty(),
            hosting: { api, authenticator, tokens in
                let pageAuthenticator: any PageAuthenticator =
                    switch access {
                    case .loopback: LoopbackPageAuthenticator(hasher: LibcryptoHasher(), random: SystemRandom())
                    case .tokens:
                        TokenPageAuthenticator(
                            authenticator: authenticator, tokens: tokens, hasher: LibcryptoHasher(),
                            random: SystemRandom(), time: SystemClock(), log: CollectedEvents(), isLoopback: true)
                    }
                return PageHost(pages: EchoPages(), authenticator: pageAuthenticator, api: api)
            }, body)
    }

    private static func run<Result>(
        limits: ServerLimits, allowsOpenAccess: Bool, proxies: [AddressRange]?, store: any ReceivedDataStore,
        time stepped: SteppedTime?, closesSlowConnections: Bool, log: any EventLog, inboxes: UserInboxes,
        hosting: (ReceiverAPI, Authenticator, any AccessTokenStore) -> any RequestRouter,
        _ body: (ServerUnderTest) async throws -> Result
    ) async throws -> Result {
        let time: any TimeSource = stepped ?? SystemClock()
        let tokens = InMemoryAccessTokenStore()
        let metrics = ServerMetrics()
        let services = ReceiverServices(
            store: store, hasher: LibcryptoHasher(), time: time, limits: limits, log: log, version: "1.2.3",
            inboxes: inboxes)
        let inbox = InboxAPI(
            recipients: .users(inboxes, tokens: tokens), decoders: [StubDecoder()], hasher: LibcryptoHasher(),
            time: time, log: log
        ) { inboxes.received(for: $0.user) }
        let authenticator = Authenticator(
            store: tokens, hasher: LibcryptoHasher(), time: time, allowsOpenAccess: allowsOpenAccess)
        var settings = DaemonSettings(port: 0, isBehindProxy: proxies != nil)
        if let proxies { settings.proxies = proxies }
        let daemon = try HTTPDaemon(
            settings: settings, limits: limits,
            router: hosting(
                ReceiverAPI(services: services, authenticator: authenticator, metrics: metrics, inbox: inbox),
                authenticator, tokens),
            observer: metrics, time: time, clock: time)
        let watch = closesSlowConnections ? Task { try await daemon.watch() } : nil
        defer { watch?.cancel() }
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body(ServerUnderTest(daemon: daemon, tokens: tokens, time: time)))
        } catch {
            outcome = .failure(error)
        }
        stepped?.release()
        inboxes.endWaits()
        _ = await daemon.stop(graceMilliseconds: 5_000)
        return try outcome.get()
    }

    /// Adds a token of `user` and returns its text.
    func token(
        _ user: String, _ scopes: Set<AccessScope>, device: UserName? = nil, expiresAt: Instant? = nil
    ) async throws -> String {
        let random = SystemRandom()
        guard let text = AccessTokenText(idBytes: random.bytes(8), secret: random.bytes(32)),
            let name = UserName(user)
        else { throw ContractViolation("cannot create a token for \(user)") }
        try await tokens.add(
            AccessToken(
                id: text.id, secretDigest: LibcryptoHasher().sha256(text.secret), user: name, scopes: scopes,
                device: device, createdAt: time.now(), expiresAt: expiresAt))
        return text.text
    }

    /// Sends a request on a new connection and returns the response.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        try await send(method, path, bytes: body.map { Array($0.utf8) }, headers: headers)
    }

    /// The same with arbitrary bytes as the body.
    func send(
        _ method: String, _ path: String, bytes: [UInt8]?, headers: [String: String] = [:]
    ) async throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        if headers["Host"] == nil { lines.append("Host: localhost") }
        lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if let bytes { lines.append("Content-Length: \(bytes.count)") }
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return try await Answer(exchange { socket in try socket.send(head + (bytes ?? [])) })
    }

    /// Opens a connection, lets `send` write to it, and reads until the server closes it. Blocks a thread of its own,
    /// because the server uses the cooperative threads.
    func exchange(_ send: @escaping @Sendable (RawSocket) throws -> Void) async throws -> [UInt8] {
        let port = port
        return try await BlockingThread.run {
            let socket = try RawSocket(port: port)
            try send(socket)
            return try socket.readToEnd()
        }
    }
}

extension UserInboxes {
    /// Inboxes in a new folder.
    static func empty(quota: Int64 = 1 << 30) -> UserInboxes {
        UserInboxes(folder: TemporaryFolder.untilExit() + "/inboxes", quota: quota)
    }
}
