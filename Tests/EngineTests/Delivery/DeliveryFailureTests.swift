import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

@Suite("Outbox delivery with failures")
struct DeliveryFailureTests {
    private let bench = DeliveryBench()

    @Test("Retries send the same bytes under the same key, after delays that double")
    func backoff() async throws {
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { number, _ in
            number < 4
                ? .init(verdict: .retryBatch(reason: "reset", status: nil, retryAfter: nil), stores: false) : .init()
        }
        #expect(try await bench.deliver(to: server, fraction: 0.999_999_9).delivered == 3)
        #expect(server.everyKeyHasOneContent)
        #expect(Set(server.requests.map(\.batch.key)).count == 1)
        let times = server.requests.map(\.at.milliseconds)
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.map { ($0 + 999) / 1_000 } == [2, 4, 8, 16])
    }

    @Test("Retry-After applies to the destination, also in later runs")
    func retryAfter() async throws {
        try await bench.enqueue(30)
        let start = bench.time.now()
        let until = start.advanced(bySeconds: 600)
        let server = DeliveryServer(time: bench.time) { number, _ in
            number == 0
                ? .init(verdict: .retryBatch(reason: "busy", status: 503, retryAfter: until), stores: false) : .init()
        }
        bench.time.advance(milliseconds: 1)
        var one = bench
        one.options.concurrency = 1
        let first = try await one.deliver(to: server, seconds: 60)
        #expect(first.ending == .waiting(until: until))
        #expect(first.left == 30)
        #expect(server.requests.count == 1)
        let questions = server.capabilityQuestions
        #expect(try await one.deliver(to: server, seconds: 60).ending == .waiting(until: until))
        #expect(server.capabilityQuestions == questions)
        #expect(try await one.deliver(to: server, seconds: 3_600).delivered == 30)
        #expect(server.requests.dropFirst().allSatisfy { $0.at >= until })
    }

    @Test("A key in progress is retried after a second and is not a failure of the destination")
    func conflict() async throws {
        try await bench.enqueue(3)
        let server = DeliveryServer(time: bench.time) { number, _ in
            number < 8
                ? .init(verdict: .inProgress(reason: "busy", status: 409, retryAfter: nil), stores: false) : .init()
        }
        #expect(try await bench.deliver(to: server).delivered == 3)
        let times = server.requests.map(\.at.milliseconds)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 1_000 })
    }

    @Test("Five consecutive failures open the breaker: one request at a time until one succeeds")
    func breaker() async throws {
        try await bench.enqueue(100)
        let (first, last) = (Rendezvous(of: 3), Rendezvous(of: 3))
        let server = DeliveryServer(time: bench.time) { number, _ in
            if number < 3 { await first.arrive() }
            if number > 9 { await last.arrive() }
            return number < 9 ? .init(verdict: .unknown(reason: "?"), stores: false) : .init()
        }
        #expect(try await bench.deliver(to: server).delivered == 100)
        let requests = server.requests
        #expect(requests[0..<5].map(\.inFlight).max() == 3)
        // Requests in flight at the fifth failure may still finish.
        #expect(requests[7...9].allSatisfy { $0.inFlight == 1 })
        #expect(requests[10...].map(\.inFlight).max() == 3)
        #expect(try await bench.store.destinationState(DeliveryBench.destination).consecutiveFailures == 0)
    }

    @Test("413 halves the limit, which is stored; a single record that is too large becomes a dead letter")
    func tooLarge() async throws {
        try await bench.enqueue(20)
        let server = DeliveryServer(time: bench.time) { _, batch in
            batch.itemIDs.count > 3 || batch.recordIDs.joined().contains("r7")
                ? .init(verdict: .tooLarge(status: 413), stores: false) : .init()
        }
        let report = try await bench.deliver(to: server)
        #expect(report.delivered == 19)
        #expect(report.dead == 1)
        #expect(server.stored["r7"] == nil)
        #expect(try await bench.store.destinationState(DeliveryBench.destination).batchLimits[.progress] ?? 99 <= 3)
        try await bench.enqueue(9, prefix: "later")
        let before = server.requests.count
        #expect(try await bench.deliver(to: server).dead == 0)
        #expect(server.requests.dropFirst(before).allSatisfy { $0.batch.itemIDs.count <= 3 })
    }

    @Test("422 without a list: bisection isolates the item at fault", arguments: [0, 4, 9])
    func bisect(bad: Int) async throws {
        try await bench.enqueue(10)
        let server = DeliveryServer(time: bench.time) { _, batch in
            batch.recordIDs.joined().contains("r\(bad)")
                ? .init(verdict: .bisect(reason: "422", status: 422), stores: false) : .init()
        }
        let report = try await bench.deliver(to: server)
        #expect(report.delivered == 9)
        #expect(report.dead == 1)
        let dead = try await bench.store.items(in: .dead, destination: nil, limit: 10)
        #expect(dead.map(\.content.recordIDs) == [["r\(bad)"]])
        #expect(dead.first?.lastStatus == 422)
        #expect(server.requests.count <= 9)
        #expect(server.everyKeyHasOneContent)
    }

    @Test("500 for one batch while others succeed: bisection isolates the item at fault")
    func poison() async throws {
        try await bench.enqueue(60)
        let server = DeliveryServer(time: bench.time) { _, batch in
            batch.recordIDs.joined().contains("r33")
                ? .init(verdict: .failed(reason: "500", status: 500, retryAfter: nil), stores: false) : .init()
        }
        let report = try await bench.deliver(to: server, seconds: 86_400)
        #expect(report.delivered >= 50)
        #expect(server.stored["r33"] == nil)
        // Batches that succeed prove that the server works. Without any, the last items stay queued.
        #expect(report.dead + report.left == 60 - report.delivered)
        #expect(
            try await bench.store.items(in: .dead, destination: nil, limit: 9).allSatisfy {
                $0.content.recordIDs == ["r33"]
            })
    }

    @Test("500 for everything creates no dead letters", arguments: [500, 503])
    func down(status: Int) async throws {
        try await bench.enqueue(40)
        let verdict = status == 500 ? BatchVerdict.failed(reason: "down", status: 500) : .retryBatch(reason: "down")
        let server = DeliveryServer(time: bench.time) { _, _ in .init(verdict: verdict, stores: false) }
        let report = try await bench.deliver(to: server, seconds: 86_400)
        #expect(report.left == 40)
        #expect(try await bench.counts() == [.pending: 40])
        #expect(server.requests.count < 250)
    }

    @Test("Capabilities: a missing response is retried, a rejection pauses")
    func capabilities() async throws {
        try await bench.enqueue(3)
        let noAnswer = CapabilityAnswer.failed(.retryBatch(reason: "dns", status: nil, retryAfter: nil))
        let slow = DeliveryServer(
            time: bench.time, capabilities: [noAnswer, noAnswer, noAnswer, .capabilities(DeliveryServer.full)])
        #expect(try await bench.deliver(to: slow).delivered == 3)
        #expect(slow.capabilityQuestions == 4)
        try await bench.enqueue(3, prefix: "x")
        for verdict in [
            BatchVerdict.pause(reason: "401", status: 401), .bisect(reason: "", status: 400), .tooLarge(status: 413),
        ] {
            let rejecting = DeliveryServer(time: bench.time, capabilities: [.failed(verdict)])
            guard case .paused = try await bench.deliver(to: rejecting, resuming: true).ending else {
                Issue.record("\(verdict) does not pause")
                continue
            }
        }
    }

    @Test("A limit reduced by a 413 grows again, one attempt in each run")
    func limitGrows() async throws {
        try await bench.enqueue(20)
        let limit = Atomic<Int>(1)
        let server = DeliveryServer(time: bench.time) { _, batch in
            batch.itemIDs.count > limit.load(ordering: .relaxed)
                ? .init(verdict: .tooLarge(status: 413), stores: false) : .init()
        }
        #expect(try await bench.deliver(to: server).delivered == 20)
        // A server with an unchanged limit receives at most one request above it in each run.
        for round in 0..<3 {
            try await bench.enqueue(6, prefix: "strict\(round)-")
            let before = server.requests.count
            #expect(try await bench.deliver(to: server).delivered == 6)
            #expect(server.requests.dropFirst(before).count { $0.batch.itemIDs.count > 1 } <= 3)
        }
        limit.store(10, ordering: .relaxed)
        for round in 0..<5 {
            try await bench.enqueue(20, prefix: "mild\(round)-")
            #expect(try await bench.deliver(to: server).delivered == 20)
        }
        #expect(try await bench.store.destinationState(DeliveryBench.destination).batchLimits == [:])
        #expect(server.requests.suffix(1).allSatisfy { $0.batch.itemIDs.count == 10 })
    }
}
