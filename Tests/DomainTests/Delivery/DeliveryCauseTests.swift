import HealthSyncDomain
import Testing

@Suite("The cause of an incomplete delivery")
struct DeliveryCauseTests {
    @Test(
        "It is found in the stored reason, also with semicolons of its own",
        arguments: ["Couldn't connect to server", "503: busy; try later", "a;b", nil])
    func found(cause: String?) {
        let reason = DeliveryCause.reason(cause, "time is up, 3 items wait")
        #expect(DeliveryCause.cause(in: reason) == cause)
        #expect(reason.hasSuffix("time is up, 3 items wait"))
    }

    @Test("A reason without one has none", arguments: ["1 item was rejected by the server", "a;b", ""])
    func absent(reason: String) {
        #expect(DeliveryCause.cause(in: reason) == nil)
    }

    @Test("The history has the cause of the last delivery to a server, unless that sent everything")
    func history() {
        let server = "https://health.example"
        func run(_ id: Int64, _ failures: [SyncFailure], delivers: Bool = true) -> RecordedRun {
            var totals = RunTotals()
            if delivers { totals.delivery = RunTotals.Delivery() }
            let end = RunEnd(at: Instant(seconds: id), ending: .failed, account: totals, failures: failures)
            return RecordedRun(id: id, command: .daily, startedAt: Instant(seconds: id), end: end)
        }
        func failure(_ cause: String, _ subject: String) -> SyncFailure {
            let reason = DeliveryCause.reason(cause, "1 item waits")
            return SyncFailure(.deliveryIncomplete, subject: subject, reason: reason, advice: "")
        }
        let dead = run(1, [failure("no route", "https://other.example"), failure("timed out", server)])
        #expect(RunHistory(runs: [dead]).trouble(with: server) == "timed out")
        #expect(RunHistory(runs: [run(2, [], delivers: false), dead]).trouble(with: server) == "timed out")
        #expect(RunHistory(runs: [run(2, []), dead]).trouble(with: server) == nil)
        #expect(RunHistory(runs: []).trouble(with: server) == nil)
    }
}
