import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Waiting for a server that does not answer")
struct DeliveryWaitTests {
    private let unanswered = BatchVerdict.unknown(reason: "cannot connect")

    @Test("A run gives up after its patience, and what waits stays in the outbox")
    func patience() async throws {
        var bench = DeliveryBench()
        bench.options.patienceMilliseconds = 60_000
        try await bench.enqueue(3)
        let began = bench.time.now()
        let server = DeliveryServer(time: bench.time, capabilities: [.failed(unanswered)])
        let report = try await bench.deliver(to: server, fraction: 0.999_999_9)
        let took = bench.time.now().milliseconds - began.milliseconds
        #expect((20_000...60_000).contains(took), "\(took)")
        guard case .waiting = report.ending else {
            Issue.record("\(report.ending)")
            return
        }
        #expect(report.left == 3 && report.failure?.reason.hasPrefix("cannot connect; 3 items wait") == true)
        #expect(try await bench.counts() == [.pending: 3])
    }

    @Test("Each answer renews the patience, and without a patience only the deadline ends the run")
    func renewed() async throws {
        var bench = DeliveryBench()
        bench.options.patienceMilliseconds = 60_000
        bench.options.concurrency = 1
        try await bench.enqueue(60)
        let server = DeliveryServer(time: bench.time) { number, _ in
            // Each batch fails three times: 14 seconds of waiting, six times.
            number % 4 < 3 ? .init(verdict: unanswered, stores: false) : .init()
        }
        #expect(try await bench.deliver(to: server, fraction: 0.999_999_9).delivered == 60)
        var patient = DeliveryBench()
        patient.options.patienceMilliseconds = nil
        try await patient.enqueue(1)
        let dead = DeliveryServer(time: patient.time, capabilities: [.failed(unanswered)])
        let began = patient.time.now()
        _ = try await patient.deliver(to: dead, seconds: 3_600, fraction: 0.999_999_9)
        #expect(patient.time.now().milliseconds - began.milliseconds > 600_000)
    }

    @Test("A wait is shown with the reason, the number of the attempt and the seconds left, and its phase ends")
    func shown() async throws {
        let bench = DeliveryBench()
        try await bench.enqueue(1)
        let server = DeliveryServer(time: bench.time) { number, _ in
            number < 4 ? .init(verdict: unanswered, stores: false) : .init()
        }
        let phases = Phases()
        #expect(try await bench.deliver(to: server, fraction: 0.999_999_9, progress: phases).delivered == 1)
        let texts = phases.all.filter { $0.total == nil }.map(\.text)
        #expect(texts.first == "waiting for example.org: cannot connect, try 1, again in 2 s (Ctrl-C keeps everything)")
        #expect(
            texts.contains("waiting for example.org: cannot connect, try 4, again in 12 s (Ctrl-C keeps everything)"))
        let waits = phases.all.filter { $0.name.hasPrefix("waiting") }
        #expect(waits.last?.done == 0 && waits.last?.total == 0)
    }

    @Test("A delivery is shown before the first answer")
    func shownAtOnce() async throws {
        let bench = DeliveryBench()
        try await bench.enqueue(3)
        let phases = Phases()
        let server = DeliveryServer(time: bench.time) { _, _ in
            #expect(phases.all == [RunProgress.Phase(name: "delivering", done: 0, total: 3, detail: "")])
            return .init()
        }
        #expect(try await bench.deliver(to: server, progress: phases).delivered == 3)
        #expect(server.requests.count == 1)
    }
}

private final class Phases: ProgressReporter {
    private let phases = Mutex<[RunProgress.Phase]>([])
    var all: [RunProgress.Phase] { phases.withLock { $0 } }

    func report(phase: String, done: Int64, total: Int64?) {
        report(phase: phase, done: done, total: total, detail: "")
    }

    func report(phase: String, done: Int64, total: Int64?, detail: String) {
        phases.withLock { $0.append(RunProgress.Phase(name: phase, done: done, total: total, detail: detail)) }
    }
}
