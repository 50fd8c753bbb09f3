import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Outbox delivery that pauses")
struct DeliveryPauseTests {
    private let bench = DeliveryBench()

    @Test("A pause keeps everything and names a remedy; only a resuming run continues")
    func pause() async throws {
        try await bench.enqueue(60)
        let server = DeliveryServer(time: bench.time) { number, _ in
            number == 0 ? .init(verdict: .pause(reason: "check the token", status: 401), stores: false) : .init()
        }
        let report = try await bench.deliver(to: server)
        #expect(report.ending == .paused(reason: "check the token"))
        #expect(report.failure?.reason.contains("check the token") == true)
        #expect(report.left == 60 - report.delivered)
        #expect(try await bench.counts()[.dead] == nil)
        let before = server.requests.count
        #expect(try await bench.deliver(to: server).ending == .paused(reason: "check the token"))
        #expect(server.requests.count == before)
        #expect(try await bench.deliver(to: server, resuming: true).left == 0)
        #expect(server.everyKeyHasOneContent)
    }

    @Test("A resuming run without items ends a pause, but only if the destination answers")
    func pauseWithoutItems() async throws {
        var state = DestinationState()
        state.pausedReason = "check the token"
        try await bench.store.setDestinationState(state, of: DeliveryBench.destination)
        let rejecting = DeliveryServer(
            time: bench.time, capabilities: [.failed(.pause(reason: "check the token", status: 401))])
        guard case .unreachable = try await bench.deliver(to: rejecting, resuming: true).ending else {
            Issue.record("a destination that rejects the token is available")
            return
        }
        #expect(try await bench.store.destinationState(DeliveryBench.destination) == state)

        let server = DeliveryServer(time: bench.time)
        #expect(try await bench.deliver(to: server, resuming: true).ending == .finished)
        try await bench.enqueue(3)
        #expect(try await bench.deliver(to: server).delivered == 3)
    }

    @Test("410 disables and keeps everything")
    func disable() async throws {
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { _, _ in
            .init(verdict: .disable(reason: "gone", status: 410), stores: false)
        }
        #expect(try await bench.deliver(to: server).ending == .disabled(reason: "gone"))
        #expect(try await bench.deliver(to: server).ending == .disabled(reason: "gone"))
        #expect(server.requests.count == 1)
        #expect(try await bench.counts() == [.pending: 3])
    }

    @Test("A pause that begins while the server does not answer ends the run")
    func holdWhileUnreachable() async throws {
        try await bench.enqueue(3)
        let noAnswer = CapabilityAnswer.failed(.retryBatch(reason: "dns", status: nil, retryAfter: nil))
        let silent = DeliveryServer(time: bench.time, capabilities: [noAnswer])
        let report = try await bench.deliver(to: silent, hold: HoldAfterSilence(server: silent))
        #expect(report.ending == .held)
        #expect(silent.capabilityQuestions == 3)
    }

    /// Set after the server was asked three times.
    private struct HoldAfterSilence: DeliveryPause {
        let server: DeliveryServer

        func isSet() -> Bool { server.capabilityQuestions >= 3 }
        func since() -> Instant? { nil }
        func set() {}
        func clear() -> Bool { false }
    }
}
