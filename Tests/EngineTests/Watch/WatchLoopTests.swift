import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

/// Records what a loop does, and ends its task at a condition.
private final class LoopBench: Sendable {
    struct State {
        var calls: [String] = []
        var failures: [String] = []
        var pauses: [Instant] = []
        /// How often each kind of work fails before it succeeds.
        var failing: [String: [SyncFailure.Code]] = [:]
        /// How many batches of posts wait.
        var batches = 0
        var deliveries: [WatchDelivery] = []
    }

    let state = Mutex(State())
    let signals = WatchSignals()

    func note(_ call: String) throws {
        let failure: SyncFailure.Code? = state.withLock { state in
            state.calls.append(call)
            guard var codes = state.failing[call], !codes.isEmpty else { return nil }
            let code = codes.removeFirst()
            state.failing[call] = codes
            return code
        }
        if let failure { throw SyncFailure(failure, subject: call, reason: "fails", advice: "") }
    }

    var calls: [String] { state.withLock { $0.calls } }
    var failures: [String] { state.withLock { $0.failures } }

    /// Runs a loop until `end` work was done.
    func run(until end: String, time: any TimeSource = ManualTime()) async {
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let work = WatchWork(
            importPosts: {
                let waits = self.state.withLock { state in
                    guard state.batches > 0 else { return false }
                    state.batches -= 1
                    return true
                }
                guard waits else {
                    if end == "no posts" { continuation.finish() }
                    return nil
                }
                do {
                    try self.note("posts")
                } catch {
                    self.state.withLock { $0.batches += 1 }
                    throw error
                }
                return InboxReport()
            },
            importSource: { location in
                try self.note(location)
                return try await EngineBench().run(.daily())
            },
            daily: {
                try self.note("daily")
                return try await EngineBench().run(.daily())
            },
            deliver: {
                try self.note("deliver")
                let next = self.state.withLock { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst() }
                if end == "deliver", self.state.withLock({ $0.deliveries.isEmpty }) { continuation.finish() }
                return next ?? WatchDelivery(delivered: 0, isUnfinished: false, trouble: nil)
            },
            prune: {
                try self.note("prune")
                if end == "prune" { continuation.finish() }
            })
        let loop = WatchLoop(work: work, signals: signals, time: time) { event in
            switch event {
            case .failed(let failure):
                self.state.withLock { $0.failures.append("\(failure.subject) \(failure.code.rawValue)") }
            case .held(let since): self.state.withLock { $0.pauses.append(since) }
            default: break
            }
        }
        let task = Task { await loop.run() }
        for await _ in ended {}
        task.cancel()
        await task.value
    }
}

@Suite("The loop of a watch process") struct WatchLoopTests {
    private let bench = LoopBench()

    @Test("posts come first, then sources, the daily run, delivery and pruning")
    func ordersWork() async {
        bench.state.withLock { $0.batches = 2 }
        bench.signals.send(.prune)
        bench.signals.send(.delivery)
        bench.signals.send(.daily)
        bench.signals.send(.source("a"))
        bench.signals.send(.source("b"))
        bench.signals.send(.source("a"))
        bench.signals.send(.posts)
        await bench.run(until: "prune")
        #expect(bench.calls == ["posts", "posts", "a", "b", "daily", "deliver", "prune"])
    }

    @Test("a failed import is tried again and reported once")
    func retriesPosts() async {
        bench.state.withLock { state in
            state.batches = 1
            state.failing["posts"] = [.storage, .storage, .busy, .storage]
        }
        bench.signals.send(.posts)
        await bench.run(until: "no posts")
        #expect(bench.calls.filter { $0 == "posts" }.count == 5)
        #expect(bench.failures == ["posts storage", "posts busy", "posts storage"])
    }

    @Test("a source that cannot be read waits for its next change")
    func leavesUnreadableSources() async {
        bench.state.withLock { $0.failing["a"] = [.badInput] }
        bench.signals.send(.source("a"))
        bench.signals.send(.prune)
        await bench.run(until: "prune")
        #expect(bench.calls == ["a", "prune"] && bench.failures == ["a badInput"])
    }

    @Test("delivery continues until nothing waits, and its trouble is reported once")
    func continuesDelivery() async {
        let unreachable = WatchDelivery(delivered: 0, isUnfinished: true, trouble: "unreachable")
        bench.state.withLock {
            $0.deliveries = [
                unreachable, unreachable, WatchDelivery(delivered: 500, isUnfinished: true, trouble: nil),
                WatchDelivery(delivered: 20, isUnfinished: false, trouble: nil),
            ]
        }
        bench.signals.send(.delivery)
        await bench.run(until: "deliver")
        #expect(bench.calls == ["deliver", "deliver", "deliver", "deliver"])
        #expect(bench.failures == ["delivery deliveryIncomplete"])
    }

    @Test("a pause by the user is reported once, is not a failure, and is looked at every minute")
    func heldDelivery() async {
        let time = ManualTime()
        func held(_ second: Int64) -> WatchDelivery {
            WatchDelivery(delivered: 0, isUnfinished: true, trouble: nil, heldSince: Instant(seconds: second))
        }
        bench.state.withLock {
            $0.deliveries = [
                held(7), held(7), held(9), WatchDelivery(delivered: 20, isUnfinished: false, trouble: nil),
            ]
        }
        bench.signals.send(.delivery)
        let began = time.now()
        await bench.run(until: "deliver", time: time)
        #expect(bench.calls == ["deliver", "deliver", "deliver", "deliver"] && bench.failures.isEmpty)
        #expect(bench.state.withLock { $0.pauses } == [Instant(seconds: 7), Instant(seconds: 9)])
        #expect(time.now() >= began.advanced(bySeconds: 180))
    }
}
