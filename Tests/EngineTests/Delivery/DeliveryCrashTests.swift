import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The crash matrix of docs/delivery.md: the process dies at every change of the store, before and after it is
/// durable.
@Suite("Outbox delivery across crashes")
struct DeliveryCrashTests {
    @Test("A crash at any change of the store loses and duplicates nothing", arguments: [true, false])
    func everywhere(afterCommit: Bool) async throws {
        var crashes = 0
        // With few seeds at each fifth change.
        let step = Seeds.count(few: 5, some: 1, many: 1)
        for fatal in stride(from: 0, to: 400, by: step) {
            let bench = DeliveryBench()
            try await bench.enqueue(24)
            _ = try await bench.store.enqueue([DeliveryBench.item("r3", revision: 2, isTombstone: true)])
            let server = DeliveryServer(time: bench.time) { number, batch in
                switch number {
                case 0: .init(verdict: .unknown(reason: "cut after storing"))
                case 1: .init(verdict: .bisect(reason: "422", status: 422), stores: false)
                case 2: .init(verdict: .items(batch.itemIDs.map { _ in .retry }), stores: false)
                case 3: .init(verdict: .tooLarge(status: 413), stores: false)
                default: .init()
                }
            }
            let dying = DyingOutbox(bench.store, fatal: fatal, afterCommit: afterCommit)
            do {
                _ = try await bench.deliver(to: server, over: dying)
                #expect(dying.changes <= fatal)
                break
            } catch let failure as SyncFailure {
                #expect(failure.code == .storage)
                crashes += 1
            }
            let report = try await bench.deliver(to: server)
            #expect(report.left == 0, "after a crash at change \(fatal)")
            #expect(try await bench.counts() == [.delivered: 25], "after a crash at change \(fatal)")
            #expect(server.stored.count == 24)
            #expect(server.everyKeyHasOneContent)
        }
        #expect(crashes > 15 / step)
        #expect(crashes < 400 / step)
    }

    @Test("A frozen request of a dead sender is sent after its lease expires, with the same bytes and key")
    func leaseRunsOut() async throws {
        let bench = DeliveryBench()
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time)
        let dying = DyingOutbox(bench.store, fatal: 3, afterCommit: false)
        await #expect(throws: SyncFailure.self) { try await bench.deliver(to: server, over: dying) }
        #expect(server.requests.count == 1)
        #expect(try await bench.counts() == [.leased: 3])
        let died = bench.time.now()
        // An earlier run waits for the lease, but not beyond its deadline.
        #expect(try await bench.deliver(to: server, seconds: 2).left == 3)
        #expect(server.requests.count == 1)
        #expect(try await bench.deliver(to: server).delivered == 3)
        #expect(server.requests.count == 2)
        #expect(server.requests[0].batch.key == server.requests[1].batch.key)
        #expect(server.requests[1].at >= died.advanced(byMilliseconds: bench.options.leaseMilliseconds))
    }

    @Test("A response after the lease was taken over changes nothing")
    func lateAnswer() async throws {
        let bench = DeliveryBench()
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { number, batch in
            guard number == 0 else { return .init() }
            bench.time.advance(milliseconds: bench.options.leaseMilliseconds + 1)
            let other = try? await bench.store.claimBatch(
                destination: DeliveryBench.destination, owner: "other", now: bench.time.now(),
                leaseUntil: bench.time.now().advanced(bySeconds: 10))
            #expect(other?.batch.key == batch.key)
            return .init(verdict: .items(batch.itemIDs.map { _ in .rejected(reason: "late") }))
        }
        let report = try await bench.deliver(to: server)
        #expect(report.dead == 0)
        #expect(report.delivered == 3)
        #expect(server.requests.count == 2)
    }
}
