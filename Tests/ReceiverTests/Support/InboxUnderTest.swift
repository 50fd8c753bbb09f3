import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization

/// An inbox on a free loopback port, with an archive and tokens in memory and a clock that does not wait.
struct InboxUnderTest {
    struct Received: Sendable, Equatable {
        var id: String
        var device: String
        var bytes: Int64
    }

    /// Collects what the inbox and the server report.
    final class Reports: RequestObserver {
        private let state = Mutex<(received: [Received], requests: [ObservedRequest])>(([], []))

        func observe(_ request: ObservedRequest) { state.withLock { $0.requests.append(request) } }
        func add(_ received: Received) { state.withLock { $0.received.append(received) } }
        var received: [Received] { state.withLock { $0.received } }
        var requests: [ObservedRequest] { state.withLock { $0.requests } }
    }

    let server: ServerUnderTest
    let archive: any InboxArchive
    let reports: Reports
    let log: CollectedEvents
    let time: SteppedTime

    /// Starts an inbox, calls `body` with it and stops it.
    static func run<Result>(
        archive: any InboxArchive = InMemoryInboxArchive(), settings: DaemonSettings = DaemonSettings(port: 0),
        _ body: (InboxUnderTest) async throws -> Result
    ) async throws -> Result {
        let (time, tokens, reports, log) = (SteppedTime(), InMemoryAccessTokenStore(), Reports(), CollectedEvents())
        time.release()
        let api = InboxAPI(
            recipients: .home(archive, devices: tokens), decoders: [StubDecoder()], hasher: LibcryptoHasher(),
            time: time, log: log,
            pair: { request in
                switch request.statedName {
                case "phone": .paired(token: "hst_new", computer: "home at \(request.address)")
                case "new": .unconfirmed("confirm 482917")
                default: .rejected("nobody")
                }
            }
        ) { reports.add(Received(id: $0.id, device: $0.head.device, bytes: $0.bytes)) }
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(), router: api, observer: reports, time: time,
            clock: time)
        let server = ServerUnderTest(daemon: daemon, tokens: tokens, time: time)
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(
                try await body(
                    InboxUnderTest(server: server, archive: archive, reports: reports, log: log, time: time)))
        } catch {
            outcome = .failure(error)
        }
        _ = await daemon.stop(graceMilliseconds: 5_000)
        return try outcome.get()
    }

    /// Pairs a device and returns its token.
    func pair(_ name: String) async throws -> String { try await server.token(name, [.ingest]) }

    /// The posts in the archive, oldest first.
    func posts() async throws -> [InboxPost] {
        var posts: [InboxPost] = []
        for id in try await archive.waiting(limit: 1_000) { posts.append(try await archive.post(id)) }
        return posts
    }
}

/// Recognizes posts to `/stub` and answers the handshakes `open`, `paired` and `login`.
struct StubDecoder: InboxDecoder {
    let name = "Stub"
    let provider = "stub"
    let semantics = SourceSemantics.feed

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool { head.path.first == "stub" }

    func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake? {
        switch head.path.last {
        case "open": return .open(InboxAnswer(json: #"{"open":true}"#))
        case "paired": return .paired(InboxAnswer(json: "{\"paired\":\"\(head.device)\"}"))
        case "pair":
            return .pairing(
                device: String(decoding: body, as: UTF8.self),
                answer: { InboxAnswer(json: "{\"token\":\"\($0)\",\"computer\":\"\($1)\"}") },
                rejection: { InboxAnswer(status: 403, json: "{\"reason\":\"\($0)\"}") })
        case "login":
            return .login(token: String(decoding: body, as: UTF8.self)) { token, device in
                InboxAnswer(json: "{\"token\":\"\(token)\",\"device\":\"\(device)\"}")
            }
        default: return nil
        }
    }

    func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer {
        InboxAnswer(status: 202, json: #"{"stub":true}"#)
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading { StubReading() }
}

private struct StubReading: InboxReading {
    var account = SourceReading()
    mutating func take(_ post: InboxPost) throws {}
    mutating func finish() throws -> SourceReading { account }
}
