import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Sources that change while they are read") struct ChangingSourceTests {
    private let bench = EngineBench()
    private let old = MemorySource.feed([.steps(5, day: 0), .steps(6, day: 1)])
    private let new = MemorySource.feed([.steps(7, day: 0), .steps(8, day: 1)])

    private func importSources(_ source: ChangingSource) async throws {
        _ = try await SourceImport(
            store: bench.stores.pages, hasher: PlainHasher(), time: bench.importTime, clock: bench.clock,
            progress: SilentLog(), log: SilentLog()
        ).importSources(
            [source], selection: SampleSelection(types: [.stepCount]), allowDeletions: false, force: false)
    }

    @Test(arguments: [false, true])
    func aChangedSourceIsReadAgainAndNoMixtureIsStored(failing: Bool) async throws {
        let source = ChangingSource(contents: [old, new], failsWhileChanging: failing)
        try await importSources(source)
        #expect(try await bench.kept() == [.steps(7, day: 0), .steps(8, day: 1)])
        #expect(source.readings.withLock { $0 } == 2)
        // The stored fingerprint is that of the content that was read.
        try await importSources(source)
        #expect(source.readings.withLock { $0 } == 2)
    }

    @Test func aSourceThatNeverStopsChangingIsAnError() async throws {
        let contents = (0..<20).map { MemorySource.feed([.steps(Double($0), day: $0)]) }
        let source = ChangingSource(contents: contents, failsWhileChanging: false)
        await #expect { try await importSources(source) } throws: { ($0 as? SyncFailure)?.code == .incompleteInput }
        #expect(try await bench.kept() == [])
    }
}

/// A source whose content is replaced by the next one in the middle of each reading, up to the last.
private final class ChangingSource: HealthDataSource {
    let contents: [MemorySource]
    let failsWhileChanging: Bool
    let place = Mutex(0)
    let readings = Mutex(0)

    init(contents: [MemorySource], failsWhileChanging: Bool) {
        self.contents = contents
        self.failsWhileChanging = failsWhileChanging
    }

    var location: String { contents[0].location }
    var provider: String { contents[0].provider }
    var semantics: SourceSemantics { .feed }

    func fingerprint() async throws -> SourceFingerprint {
        try await contents[place.withLock { $0 }].fingerprint()
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        readings.withLock { $0 += 1 }
        let (first, next) = place.withLock { place in
            defer { place = min(place + 1, contents.count - 1) }
            return (contents[place], contents[min(place + 1, contents.count - 1)])
        }
        guard first.content != next.content else { return try await first.read(selection, receive: receive) }
        if failsWhileChanging {
            throw SyncFailure(.badInput, subject: location, reason: "cannot be read", advice: "")
        }
        // The first sample of the former content, the rest of the new one.
        guard case .entries(let before) = first.content, case .entries(let after) = next.content else { return .init() }
        var mixture = first
        mixture.content = .entries(Array(before.prefix(1) + after.dropFirst()))
        return try await mixture.read(selection, receive: receive)
    }
}
