import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestTools

/// A router whose response to `/N` has N bytes.
struct SizedResponses: RequestRouter {
    private struct Handler: RequestHandler {
        let count: Int
        let operation = "GET /{count}"

        func quickAdmission() -> Admission? { .accept(Caller(user: .local, scopes: [])) }
        func admission() async -> Admission { .accept(Caller(user: .local, scopes: [])) }
        func response(to request: HTTPRequest) async -> HTTPResponse {
            HTTPResponse(status: 200, body: .bytes(Array(repeating: 0x61, count: count)))
        }
    }

    func handler(for head: RequestHead) -> any RequestHandler {
        Handler(count: head.target?.path.first.flatMap { Int($0) } ?? 0)
    }

    /// Starts a server with this router and a clock that does not move, calls `body` with its port and stops it.
    static func run(limits: ServerLimits = ServerLimits(), _ body: (Int) async throws -> Void) async throws {
        let time = SteppedTime()
        let daemon = try HTTPDaemon(
            settings: DaemonSettings(port: 0), limits: limits, router: SizedResponses(), observer: ServerMetrics(),
            time: time, clock: time)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(daemon.port)) } catch { outcome = .failure(error) }
        time.release()
        _ = await daemon.stop(graceMilliseconds: 5_000)
        try outcome.get()
    }
}
