import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite struct PullLoopTests {
    /// Runs a loop over `world` until it makes request number `end`; returns the events.
    private func run(_ world: PullWorld, until end: Int, time: ManualTime) async -> [String] {
        let events = Mutex<[String]>([])
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let loop = PullLoop(
            pull: world.pull, time: world.counting(time, until: end) { continuation.finish() }, archived: {}
        ) { event in
            switch event {
            case .pulled(let posts, _): events.withLock { $0.append("pulled \(posts)") }
            case .failed(let failure): events.withLock { $0.append("failed \(failure.subject)") }
            default: Issue.record("unexpected event")
            }
        }
        let task = Task { try? await loop.run() }
        for await _ in ended {}
        task.cancel()
        await task.value
        return events.withLock { $0 }
    }

    @Test func aServerThatIsDownIsAskedAgainAfterGrowingPausesAndReportedOnce() async {
        let (world, time) = (PullWorld(posts: 3), ManualTime())
        world.state { $0.isDown = true }
        #expect(await run(world, until: 12, time: time) == ["failed down"])
        let pauses = world.state { $0.pauses }
        #expect(
            pauses.prefix(11) == [
                1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
            ])
    }

    @Test func postsThatCannotBeArchivedAreReportedOnceAndTheLoopDoesNotSpin() async {
        let (world, time) = (PullWorld(posts: 3), ManualTime())
        world.state { $0.damaged = [world.names[1]] }
        #expect(await run(world, until: 5, time: time) == ["pulled 2", "failed \(world.names[1])"])
        #expect(world.state { $0.pauses }.allSatisfy { $0 == 10_000 })
        #expect(world.state { $0.server } == [world.names[1]])
    }
}

extension PullWorld {
    /// Returns a clock that records pauses, and calls `ended` at pause number `end`.
    func counting(_ time: ManualTime, until end: Int, ended: @escaping @Sendable () -> Void) -> any TimeSource {
        CountingTime(world: self, time: time, end: end, ended: ended)
    }
}

private struct CountingTime: TimeSource {
    let world: PullWorld
    let time: ManualTime
    let end: Int
    let ended: @Sendable () -> Void

    func now() -> Instant { time.now() }
    func systemZoneName() -> String { "UTC" }
    func wait(milliseconds: Int64) async throws {
        let count = world.state { state in
            state.pauses.append(milliseconds)
            return state.pauses.count
        }
        guard count < end else {
            // As if the task was cancelled: a loop that never waits would keep a thread.
            ended()
            throw CancellationError()
        }
        try await time.wait(milliseconds: milliseconds)
    }
}
