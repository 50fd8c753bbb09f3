import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

/// The deadline of a body that is received in pieces.
@Suite struct BodyDeadlineTests {
    @Test func receivedBytesExtendTheDeadlineOfABody() async throws {
        try await run { server, time in
            let socket = try RawSocket(port: server.daemon.port)
            try socket.send(Self.head)
            try socket.send([UInt8](repeating: 0x20, count: 3_000))
            await server.sink.receives(3_000)
            // 1 s, and 3 s for 3,000 bytes at 1,000 bytes a second.
            await time.advance(quarters: 15)
            try socket.send([UInt8](repeating: 0x20, count: 7_000))
            let answer = try await BlockingThread.run { try Answer(socket.readToEnd()) }
            #expect(answer.status == 200)
            #expect(answer.text == "10000")
            #expect(!server.sink.isAbandoned)
        }
    }

    @Test func aBodyThatArrivesTooSlowlyIsAbandoned() async throws {
        try await run { server, time in
            let socket = try RawSocket(port: server.daemon.port)
            try socket.send(Self.head)
            try socket.send([UInt8](repeating: 0x20, count: 3_000))
            await server.sink.receives(3_000)
            await time.advance(quarters: 17)
            #expect(try await BlockingThread.run { try socket.readToEnd() }.isEmpty)
            await server.sink.abandonment()
        }
    }

    @Test func deadlinesDoNotDependOnTheTimeOfDay() async throws {
        let dates = SteppedTime()
        try await run(dates: dates) { server, time in
            let socket = try RawSocket(port: server.daemon.port)
            try socket.send(Self.head)
            try socket.send([UInt8](repeating: 0x20, count: 3_000))
            await server.sink.receives(3_000)
            // The machine corrects its clock by an hour.
            dates.advance(milliseconds: 3_600_000)
            await time.advance(quarters: 8)
            try socket.send([UInt8](repeating: 0x20, count: 7_000))
            #expect(try await BlockingThread.run { try Answer(socket.readToEnd()) }.status == 200)
        }
    }

    private static let head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10000\r\n\r\n"

    private struct Server {
        let daemon: HTTPDaemon
        let sink: CountingSink
    }

    private func run(dates: SteppedTime? = nil, _ body: (Server, SteppedTime) async throws -> Void) async throws {
        let (time, sink) = (SteppedTime(), CountingSink())
        var limits = ServerLimits()
        (limits.bodyMilliseconds, limits.bodyBytesPerSecond) = (1_000, 1_000)
        let daemon = try HTTPDaemon(
            settings: DaemonSettings(port: 0), limits: limits, router: CountingRouter(sink: sink),
            observer: ServerMetrics(), time: dates ?? time, clock: time)
        let watch = Task { try await daemon.watch() }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(Server(daemon: daemon, sink: sink), time))
        } catch {
            outcome = .failure(error)
        }
        watch.cancel()
        time.release()
        _ = await daemon.stop(graceMilliseconds: 5_000)
        try outcome.get()
    }
}

private struct CountingRouter: RequestRouter {
    let sink: CountingSink
    func handler(for head: RequestHead) -> any RequestHandler { CountingHandler(sink: sink) }
}

private struct CountingHandler: RequestHandler {
    let operation = "POST"
    let sink: CountingSink
    func quickAdmission() -> Admission? { .accept(Caller(user: .local, scopes: [])) }
    func admission() async -> Admission { .accept(Caller(user: .local, scopes: [])) }
    func bodySink(for caller: Caller) -> (any BodySink)? { sink }
    func response(to request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: 200, body: .bytes(Array("\(sink.count)".utf8)))
    }
}

private final class CountingSink: BodySink {
    private struct State {
        var count = 0
        var isAbandoned = false
        var watchers: [(isOver: @Sendable (Int, Bool) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse? {
        change { $0.count += piece.count }
        return nil
    }

    func abandon() { change { $0.isAbandoned = true } }

    /// Returns when `count` bytes were received.
    func receives(_ count: Int) async { await wait { received, _ in received >= count } }

    /// Returns when the body was abandoned.
    func abandonment() async { await wait { _, isAbandoned in isAbandoned } }

    private func change(_ body: (inout State) -> Void) {
        let over = state.withLock { state in
            body(&state)
            let over = state.watchers.filter { $0.isOver(state.count, state.isAbandoned) }
            state.watchers.removeAll { $0.isOver(state.count, state.isAbandoned) }
            return over
        }
        for watcher in over { watcher.continuation.resume() }
    }

    private func wait(_ isOver: @escaping @Sendable (Int, Bool) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOverNow = state.withLock { state in
                if isOver(state.count, state.isAbandoned) { return true }
                state.watchers.append((isOver, continuation))
                return false
            }
            if isOverNow { continuation.resume() }
        }
    }
}
