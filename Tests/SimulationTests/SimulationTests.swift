import Foundation
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

/// Histories of weeks, from seeds. docs/reliability.md describes what is simulated.
///
/// `HEALTHSYNC_SEEDS` determines their number. `SIMULATION_SEED` is the seed of the only history, and `SIMULATION_HISTORY` that
/// history itself, such as a printed one: its steps, separated by commas.
@Suite struct SimulationTests {
    private static let steps = 22
    private static let environment = ProcessInfo.processInfo.environment

    private static var seeds: Range<UInt64> {
        if let seed = environment["SIMULATION_SEED"].flatMap({ UInt64($0) }) { return seed..<seed + 1 }
        return 0..<Seeds.count(few: 10, some: 100, many: 10_000)
    }

    /// How the folders of histories begin: in memory where there is some, because the simulated disks need no power.
    private static let prefix: String = {
        let memory = "/dev/shm"
        let hasMemory = FileManager.default.isWritableFile(atPath: memory)
        let base = hasMemory ? memory : FileManager.default.temporaryDirectory.path
        return base + "/healthsync-simulation-\(ProcessInfo.processInfo.processIdentifier)"
    }()
    private static let count = Atomic<Int>(0)

    private static func problems(of history: [Step]) async -> [String] {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return await Simulation.problems(of: history, in: "\(prefix)-\(number)")
    }

    @Test("After every quiet point local store, server and reference model are equal")
    func everyHistory() async throws {
        if let text = Self.environment["SIMULATION_HISTORY"] {
            let history = text.split(separator: ",").compactMap { Step($0) }
            try #require(history.count == text.split(separator: ",").count, "a step is a kind and a seed")
            #expect(await Self.problems(of: history) == [])
            return
        }
        var failed: UInt64?
        await withTaskGroup(of: (UInt64, Bool).self) { group in
            var seeds = Self.seeds.makeIterator()
            func add() {
                guard failed == nil, let seed = seeds.next() else { return }
                group.addTask {
                    (seed, await Self.problems(of: Step.history(seed: seed, count: Self.steps)).isEmpty)
                }
            }
            for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) { add() }
            while let (seed, succeeded) = await group.next() {
                if !succeeded { failed = min(failed ?? seed, seed) }
                add()
            }
        }
        guard let failed else { return }
        let history = await Step.shortest(Step.history(seed: failed, count: Self.steps)) {
            await !Self.problems(of: $0).isEmpty
        }
        let problems = await Self.problems(of: history)
        let report = (history.map(\.description) + problems).joined(separator: "\n")
        Issue.record("SIMULATION_SEED=\(failed) fails; the shortest history:\n\(report)")
    }

    @Test("A server that confirms what it does not store is found, and the history is shortened")
    func control() async {
        var history = Step.history(seed: 1, count: 3)
        history.insert(Step(kind: .lyingDaily, seed: 5), at: 1)
        #expect(await Self.problems(of: history).contains { $0.hasPrefix("server:") })
        let shortest = await Step.shortest(history) { await !Self.problems(of: $0).isEmpty }
        #expect(shortest.map(\.kind) == [.arrive, .lyingDaily, .quiet])
    }
}
