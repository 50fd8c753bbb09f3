import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

/// Actions that the pages of `dashboard` start do what the commands do.
@Suite("Runs that pages start")
struct PageRunsTests {
    private static let server = "--server https://example.org"

    /// Starts `actions` one after the other on the pages of a dashboard; returns what became of each.
    private func started(
        _ actions: [DeliveryAction], in world: StoredWorld, options: String = server
    ) async -> [StartedAction] {
        let results = Results()
        var world = world
        world.harness.factory.showDashboard = { request in
            for action in actions {
                try await request.deliveryActions.start(action)
                while await request.deliveryActions.last()?.outcome == nil { await Task.yield() }
                if let last = await request.deliveryActions.last() { results.add(last) }
            }
        }
        _ = await world.run("dashboard \(options)")
        return results.all
    }

    private final class Results: Sendable {
        private let state = Mutex<[StartedAction]>([])
        var all: [StartedAction] { state.withLock { $0 } }
        func add(_ result: StartedAction) { state.withLock { $0.append(result) } }
    }

    private func world(
        _ verdict: ItemVerdict = .delivered, samples: InMemorySampleServer? = nil, pushes: Bool = false
    ) async -> StoredWorld {
        let world = StoredWorld(verdict: verdict, samples: samples)
        let options = pushes ? "" : " --no-push"
        _ = await world.run("historical --source /work/list \(Self.server)\(options)")
        return world
    }

    private func counts(_ world: StoredWorld) async throws -> [DeliveryState: Int] {
        try await world.stores.outbox.counts(destination: "https://example.org").filter { $0.value > 0 }
    }

    @Test("Send delivers what waits and is recorded like push")
    func send() async throws {
        let world = await world()
        let waiting = try await counts(world)[.pending] ?? 0
        #expect(waiting > 0)
        let result = await started([.send], in: world)
        #expect(result.map(\.isGood) == [true])
        #expect(result.first?.outcome?.contains("records delivered") == true)
        #expect(try await counts(world)[.pending] == nil)
        #expect(try await world.stores.runs.lastRuns(limit: 1).first?.command == .push)
    }

    @Test("Rejected records make Send a failure with the reason")
    func rejected() async throws {
        let world = await world(.rejected(reason: "no"))
        let result = await started([.send], in: world)
        #expect(result.map(\.isGood) == [false])
        #expect(result.first?.outcome?.contains("rejected") == true)
    }

    @Test("Pause and Resume set and end the pause; Resume sends")
    func pause() async throws {
        let world = await world()
        let paused = await started([.pause, .send], in: world)
        #expect(paused.first?.isGood == true && world.hold.isSet())
        #expect(paused.last?.isGood == false)
        #expect(try await counts(world)[.pending] ?? 0 > 0)
        let resumed = await started([.resume], in: world)
        #expect(resumed.map(\.isGood) == [true] && !world.hold.isSet())
        #expect(try await counts(world)[.pending] == nil)
        #expect(try await world.stores.runs.lastRuns(limit: 1).first?.command == .resume)
    }

    @Test("Verify stores its result for status")
    func verify() async throws {
        let world = await world(samples: InMemorySampleServer(), pushes: true)
        let result = await started([.verify], in: world)
        #expect(result.map(\.isGood) == [false], "the server kept nothing")
        let stored = try await world.stores.verifications.lastVerification(of: "https://example.org")
        #expect(stored?.verdict == .different)
    }

    @Test("Sync now is recorded as a daily run; Clear deletes the intervals")
    func sync() async throws {
        let world = await world(pushes: true)
        let result = await started([.sync], in: world)
        #expect(result.first?.outcome?.contains("delivered") == true)
        #expect(try await world.stores.runs.lastRuns(limit: 1).first?.command == .daily)
        let cleared = await started([.clearIntervals], in: world)
        #expect(cleared.first?.outcome == "1 interval deleted")
        #expect(try await world.stores.intervals.layeredTypes().isEmpty)
    }

    @Test("Without a server Send fails, and says how to name one")
    func noServer() async throws {
        let result = await started([.send], in: await world(), options: "")
        #expect(result.first?.isGood == false)
        #expect(result.first?.outcome?.contains("server.url in the configuration") == true)
    }
}
