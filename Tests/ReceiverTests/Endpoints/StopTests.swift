import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestTools
import Synchronization
import Testing

/// Stopping a server while requests are in progress. No deadline passes: the server waits as long as a request lasts.
@Suite(.timeLimit(.minutes(20))) struct StopTests {
    @Test func anIncompleteBodyIsDroppedAndACompleteOneIsAnswered() async throws {
        let router = HeldRouter()
        let daemon = try Self.daemon(router)
        let (complete, half) = (try RawSocket(port: daemon.port), try RawSocket(port: daemon.port))
        try complete.send(Self.head + String(repeating: " ", count: 10_000))
        try half.send(Self.head + "{")
        await router.reaches(responses: 1, heads: 2)
        let stop = Task { await daemon.stop(graceMilliseconds: Self.never) }
        #expect(try await BlockingThread.run { try half.readToEnd() }.isEmpty)
        router.release()
        #expect(try await BlockingThread.run { try Answer(complete.readToEnd()) }.status == 200)
        #expect(await stop.value)
    }

    @Test func aChunkedBodyWithoutItsEndIsDropped() async throws {
        let router = HeldRouter()
        let daemon = try Self.daemon(router)
        let half = try RawSocket(port: daemon.port)
        try half.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        await router.reaches(responses: 0, heads: 1)
        #expect(await daemon.stop(graceMilliseconds: Self.never))
        #expect(try await BlockingThread.run { try half.readToEnd() }.isEmpty)
    }

    private static let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10000\r\n\r\n"
    private static let never: Int64 = 1 << 50

    private static func daemon(_ router: HeldRouter) throws -> HTTPDaemon {
        var limits = ServerLimits()
        (limits.bodyMilliseconds, limits.idleMilliseconds) = (never, 1 << 30)
        return try HTTPDaemon(
            settings: DaemonSettings(port: 0), limits: limits, router: router, observer: ServerMetrics(),
            time: SystemClock(), clock: SystemClock())
    }
}

/// Answers requests only after `release`.
private final class HeldRouter: RequestRouter, RequestHandler {
    private struct State {
        var heads = 0
        var responses = 0
        var isReleased = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watcher: (responses: Int, heads: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    let operation = "POST"
    private let state = Mutex(State())

    func handler(for head: RequestHead) -> any RequestHandler { self }
    func quickAdmission() -> Admission? {
        change { $0.heads += 1 }
        return .accept(Caller(user: .local, scopes: []))
    }
    func admission() async -> Admission { .accept(Caller(user: .local, scopes: [])) }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.held.append(continuation) }
                return state.isReleased
            }
            change { $0.responses += 1 }
            if isReleased { continuation.resume() }
        }
        return HTTPResponse(status: 200, body: .bytes([]))
    }

    /// Lets all requests be answered.
    func release() {
        let held = state.withLock { state in
            state.isReleased = true
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns once that many responses are held and that many heads were read.
    func reaches(responses: Int, heads: Int) async {
        await withCheckedContinuation { continuation in
            change { $0.watcher = (responses, heads, continuation) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let reached = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard let watcher = state.watcher, state.responses >= watcher.responses, state.heads >= watcher.heads else {
                return nil
            }
            state.watcher = nil
            return watcher.continuation
        }
        reached?.resume()
    }
}
