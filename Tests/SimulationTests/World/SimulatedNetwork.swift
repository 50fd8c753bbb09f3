import HealthSyncDomain
@testable import HealthSyncOutboxHTTP
import HealthSyncReceiver
import HealthSyncTestKit
import Synchronization

/// The network between client and server, which loses and replaces requests and responses.
final class SimulatedNetwork: RequestExchange {
    /// What happens to a request.
    enum Fault: Hashable, CaseIterable {
        case requestLost
        case responseLost
        case responseCut
        case garbage
        case unavailable
        case storedButUnavailable
        case tooMany
        case repeated
        case responseOfAnotherRequest
        case rejectedToken
        case redirect
        case serverDiesBefore
        case serverDiesAfter
        case serverDiskFails
        case serverDiskFailsAfter
    }

    private struct State {
        var random = SeededRandom(seed: 0)
        /// Of a hundred requests, how many meet a fault.
        var rate = 0
        var fuse: Fuse?
        /// Runs during the request of this number.
        var interlude: (number: Int, body: @Sendable () async -> Void)?
        var requests = 0
        var isForgotten = false
        var earlier: (target: String, response: SimulatedServer.Response, namesRecords: Bool)?
    }

    private let server: SimulatedServer
    private let time: ManualTime
    private let state = Mutex(State())

    init(to server: SimulatedServer, time: ManualTime) {
        self.server = server
        self.time = time
    }

    /// Begins a run, whose requests meet faults at `rate` percent, and nothing answers once `fuse` is blown. If
    /// `isForgotten`, the server loses everything that it confirms.
    func begin(
        seed: UInt64 = 0, rate: Int = 0, fuse: Fuse? = nil, isForgotten: Bool = false,
        interlude: (number: Int, body: @Sendable () async -> Void)? = nil
    ) {
        state.withLock { state in
            state.random = SeededRandom(seed: seed)
            state.rate = rate
            state.fuse = fuse
            state.interlude = interlude
            state.requests = 0
            state.isForgotten = isForgotten
        }
    }

    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)?
    ) async -> CurlOutcome {
        let (fault, interlude) = state.withLock { state -> (Fault?, (@Sendable () async -> Void)?) in
            let isFaulty = Int.random(in: 0..<100, using: &state.random) < state.rate
            let fault = Fault.allCases.randomElement(using: &state.random)
            defer { state.requests += 1 }
            return (isFaulty ? fault : nil, state.interlude?.number == state.requests ? state.interlude?.body : nil)
        }
        time.advance(milliseconds: 40)
        let outcome = isDead ? Self.lost : await perform(request, with: fault)
        await interlude?()
        return isDead ? Self.lost : outcome
    }

    private static let lost = CurlOutcome.failure(.network(reason: "connection reset"))
    private var isDead: Bool { state.withLock { $0.fuse?.isBlown ?? false } }

    private func perform(_ request: CurlRequest, with fault: Fault?) async -> CurlOutcome {
        switch fault {
        case nil: return await Self.answer(forward(request))
        case .requestLost: return Self.lost
        case .responseLost:
            _ = await forward(request)
            return Self.lost
        case .responseCut: return .answer(status: await forward(request).status, retryAfter: nil, body: nil)
        case .garbage:
            return .answer(status: await forward(request).status, retryAfter: nil, body: Array("<html>".utf8))
        case .unavailable: return .answer(status: 503, retryAfter: nil, body: [])
        case .storedButUnavailable:
            _ = await forward(request)
            return .answer(status: 502, retryAfter: nil, body: [])
        case .tooMany: return .answer(status: 429, retryAfter: "30", body: [])
        case .repeated:
            _ = await forward(request)
            return await Self.answer(forward(request))
        case .responseOfAnotherRequest:
            // A response to the same kind of request may name the same records, and one that names no record cannot be
            // told from that of this request.
            guard let earlier = state.withLock({ $0.earlier }), earlier.target != request.address, earlier.namesRecords
            else { return Self.lost }
            return Self.answer(earlier.response)
        case .rejectedToken: return .answer(status: 401, retryAfter: nil, body: [])
        case .redirect: return .answer(status: 302, retryAfter: nil, body: [])
        case .serverDiesBefore, .serverDiesAfter:
            if fault == .serverDiesAfter { _ = await forward(request) }
            // A failure shows as a server that does not answer.
            try? await server.restart()
            return Self.lost
        case .serverDiskFails, .serverDiskFailsAfter:
            server.failNextChange(afterCommit: fault == .serverDiskFailsAfter)
            return await Self.answer(forward(request))
        }
    }

    private static func answer(_ response: SimulatedServer.Response) -> CurlOutcome {
        .answer(status: response.status, retryAfter: response.retryAfter, body: response.body)
    }

    private func forward(_ request: CurlRequest) async -> SimulatedServer.Response {
        let headers = request.fields.compactMap { field -> RequestHead.Header? in
            let parts = field.split(separator: ": ", maxSplits: 1)
            return parts.count == 2 ? RequestHead.Header(parts[0].lowercased(), String(parts[1])) : nil
        }
        let backup = state.withLock { $0.isForgotten } ? try? server.backup() : nil
        let response = await server.respond(
            method: request.method, target: String(request.address.dropFirst(Self.address.count)), headers: headers,
            body: request.body)
        if let backup { try? await server.start(with: backup) }
        if request.method == "POST" {
            let namesRecords = String(decoding: response.body, as: UTF8.self).contains(#""results":[{"#)
            state.withLock { $0.earlier = (request.address, response, namesRecords) }
        }
        return response
    }

    static let address = "http://server.test"
}
