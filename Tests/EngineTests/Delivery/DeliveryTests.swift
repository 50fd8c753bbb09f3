import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Outbox delivery")
struct DeliveryTests {
    private let bench = DeliveryBench()

    @Test("Everything is delivered within the server's limit, with up to three concurrent requests")
    func everything() async throws {
        try await bench.enqueue(95)
        let three = Rendezvous(of: 3)
        let server = DeliveryServer(time: bench.time) { _, _ in
            await three.arrive()
            return .init()
        }
        let report = try await bench.deliver(to: server)
        #expect(report.delivered == 95)
        #expect(report.left == 0)
        #expect(report.ending == .finished)
        #expect(report.failure == nil)
        #expect(report.requests == 10)
        #expect(server.stored.count == 95)
        #expect(server.requests.allSatisfy { $0.batch.itemIDs.count <= 10 })
        #expect(server.requests.map(\.inFlight).max() == 3)
        #expect(try await bench.counts() == [.delivered: 95])
    }

    @Test("Revisions of one record are sent one after the other, in order")
    func order() async throws {
        for revision in 1...4 {
            _ = try await bench.store.enqueue([
                DeliveryBench.item("a", revision: revision), DeliveryBench.item("b\(revision)"),
            ])
        }
        let server = DeliveryServer(time: bench.time) { _, _ in
            for _ in 0..<20 { await Task.yield() }
            return .init()
        }
        #expect(try await bench.deliver(to: server).left == 0)
        let bodies = server.requests.map { String(decoding: $0.batch.body, as: UTF8.self) }
        let positions = (1...4).compactMap { revision in bodies.firstIndex { $0.contains("{a@\(revision)}") } }
        #expect(positions.count == 4)
        #expect(positions == positions.sorted())
        #expect(Set(positions).count == 4)
    }

    @Test("An empty outbox sends no requests")
    func nothing() async throws {
        let server = DeliveryServer(time: bench.time)
        #expect(try await bench.deliver(to: server).ending == .finished)
        #expect(server.capabilityQuestions == 0)
    }

    @Test("A tombstone is sent in a separate request, after the record it deletes")
    func tombstones() async throws {
        try await bench.enqueue(3, kind: .sleep)
        _ = try await bench.store.enqueue(
            (0..<3).map { DeliveryBench.item("r\($0)", kind: .sleep, revision: 2, isTombstone: true) })
        let server = DeliveryServer(time: bench.time)
        #expect(try await bench.deliver(to: server).delivered == 6)
        #expect(server.requests.map(\.batch.operation) == [.store, .delete, .delete, .delete])
    }

    @Test("A rejected record becomes a dead letter with its reason; the others are delivered")
    func rejected() async throws {
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { _, _ in
            .init(verdict: .items([.delivered, .rejected(reason: "no such day"), .delivered], status: 200))
        }
        let report = try await bench.deliver(to: server)
        #expect(report.delivered == 2)
        #expect(report.dead == 1)
        #expect(report.failure?.code == .deliveryIncomplete)
        let dead = try await bench.store.items(in: .dead, destination: nil, limit: 10)
        #expect(dead.map(\.content.recordIDs) == [["r1"]])
        #expect(dead.first?.lastReason == "no such day")
        #expect(dead.first?.lastStatus == 200)
        #expect(dead.first.map { !$0.content.payload.isEmpty } == true)
    }

    @Test("A server that always requests a retry is retried with growing delays, without dead letters")
    func retryForEver() async throws {
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { _, batch in
            .init(verdict: .items(batch.itemIDs.map { _ in .retry }), stores: false)
        }
        let report = try await bench.deliver(to: server, seconds: 600)
        #expect(report.left == 3)
        #expect(report.dead == 0)
        #expect(server.requests.count > 3 && server.requests.count < 15)
    }

    @Test("No request begins after the deadline; the remaining items are counted and sent by the next run")
    func deadline() async throws {
        try await bench.enqueue(100)
        let time = bench.time
        let server = DeliveryServer(time: time) { _, _ in
            time.advance(milliseconds: 1_000)
            return .init()
        }
        let end = time.now().advanced(bySeconds: 4)
        var bench = bench
        // With several requests in flight, the clock would advance between the check and the arrival.
        bench.options.concurrency = 1
        let report = try await bench.deliver(to: server, seconds: 4)
        #expect(report.ending == .deadline)
        #expect(report.left == 100 - report.delivered)
        #expect(report.left > 0)
        #expect(report.failure?.reason.contains("\(report.left) items wait") == true)
        #expect(server.requests.count == 4)
        #expect(server.requests.allSatisfy { $0.at < end })
        #expect(try await bench.counts()[.leased] == nil)
        #expect(try await bench.deliver(to: server).left == 0)
        #expect(server.everyKeyHasOneContent)
    }

    @Test("A run that begins half open sends one small batch")
    func halfOpen() async throws {
        var state = DestinationState()
        state.consecutiveFailures = 5
        try await bench.store.setDestinationState(state, of: DeliveryBench.destination)
        try await bench.enqueue(100)
        var careful = bench
        careful.options.probeRecords = 2
        let server = DeliveryServer(time: bench.time)
        #expect(try await careful.deliver(to: server).delivered == 100)
        #expect(server.requests[0].batch.itemIDs.count == 2)
        #expect(server.requests[0].inFlight == 1)
        #expect(server.requests[1].batch.itemIDs.count == 10)
    }

    @Test("Stopped by the user: requests in flight finish, the rest stays queued and is not paused")
    func cancelled() async throws {
        try await bench.enqueue(100)
        let bench = bench
        // The fourth to arrive is the test, once it has cancelled the run.
        let cancelled = Rendezvous(of: 4)
        let server = DeliveryServer(time: bench.time) { _, _ in
            await cancelled.arrive()
            return .init()
        }
        let run = Task { try await bench.deliver(to: server) }
        while server.requests.count < 3 { await Task.yield() }
        run.cancel()
        await cancelled.arrive()
        let report = try await run.value
        #expect(report.ending == .cancelled)
        #expect(report.delivered == server.requests.count * 10)
        #expect(report.delivered < 100)
        #expect(report.left == 100 - report.delivered)
        #expect(try await bench.counts()[.leased] == nil)
    }

    @Test("A plain server: unsupported records stay queued, deletions become dead letters, sessions go one by one")
    func plain() async throws {
        try await bench.enqueue(3, kind: .sleep)
        try await bench.enqueue(2, kind: .progress, prefix: "p")
        try await bench.enqueue(2, kind: .sleep, prefix: "gone", isTombstone: true)
        let server = DeliveryServer(time: bench.time, capabilities: [.capabilities(DeliveryServer.plain)])
        let report = try await bench.deliver(to: server)
        #expect(report.delivered == 3)
        #expect(report.unsupportedKinds == [.progress])
        #expect(report.unsupportedDeletions == 2)
        #expect(report.left == 2)
        #expect(report.failure?.code == .deliveryIncomplete)
        #expect(server.requests.allSatisfy { $0.batch.kind == .sleep && $0.batch.itemIDs.count == 1 })
        #expect(try await bench.counts() == [.delivered: 3, .pending: 2, .dead: 2])
    }

    @Test("A request frozen for a full server is split for a plain one")
    func downgraded() async throws {
        try await bench.enqueue(3, kind: .sleep)
        let failing = DeliveryServer(time: bench.time) { _, _ in .init(verdict: .unknown(reason: "x"), stores: false) }
        _ = try await bench.deliver(to: failing, seconds: 1, fraction: 0.9)
        bench.time.advance(milliseconds: 3_600_000)
        let server = DeliveryServer(time: bench.time, capabilities: [.capabilities(DeliveryServer.plain)])
        #expect(try await bench.deliver(to: server).delivered == 3)
        #expect(server.requests.map(\.batch.itemIDs.count) == [1, 1, 1])
    }
}
