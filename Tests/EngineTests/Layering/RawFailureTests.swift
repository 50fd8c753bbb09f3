import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Raw samples under unexpected answers and under a pause of delivery.
@Suite struct RawFailureTests {
    private let life = (0..<60).map { Fact.steps(Double(100 + $0), day: $0 / 6, hour: 6 + $0 % 6) }

    @Test func aRejectedSampleIsADeadLetterShownInItsInterval() async throws {
        var bench = LayeringBench()
        let bad = try #require(LayeringBench.ids([life[20]]).first)
        bench.server = SampleServer { _, batch in
            guard batch.sampleIDs.joined().contains(bad) else { return nil }
            return .items(
                batch.sampleIDs.map { ids in
                    var verdicts = SampleVerdicts()
                    verdicts.counts.created = ids.count { $0 != bad }
                    verdicts.counts.rejected = ids.count { $0 == bad }
                    if ids.contains(bad) { verdicts.rejected = [.init(id: bad, reason: "no")] }
                    return .samples(verdicts)
                })
        }
        let report = try await bench.sync(.snapshot(life, on: 13))
        #expect(report.delivery?.samples.answered == life.count)
        #expect(report.delivery?.dead == 1)
        let dead = try await bench.stores.outbox.items(in: .dead, destination: nil, limit: 9)
        #expect(dead.map(\.content.slice?.only) == [[bad]])
        #expect(try await bench.states().count { $0 == .rejected } == 1)
        #expect(try await bench.states().count { $0 == .synced } == bench.states().count - 1)
    }

    @Test func aRejectedRequestIsSplitToIsolateTheSampleAtFault() async throws {
        var bench = LayeringBench()
        let bad = try #require(LayeringBench.ids([life[20]]).first)
        bench.server = SampleServer { _, batch in
            batch.sampleIDs.joined().contains(bad) ? .bisect(reason: "no", status: 400) : nil
        }
        try await bench.sync(.snapshot(life, on: 13))
        #expect(bench.server.alive == LayeringBench.ids(life).subtracting([bad]))
        let dead = try await bench.stores.outbox.items(in: nil, destination: nil, limit: 9)
        #expect(dead.map(\.state) == [.dead])
        #expect(dead.map(\.content.slice?.only) == [[bad]])
        #expect(try await bench.states().count { $0 == .rejected } == 1)
    }

    @Test func aSmallerLimitIsLearned() async throws {
        var bench = LayeringBench()
        bench.server = SampleServer { _, batch in
            batch.sampleIDs.joined().count > 3 ? .tooLarge(status: 413) : nil
        }
        try await bench.sync(.snapshot(life, on: 13))
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(try await bench.isAllSynced())
    }

    @Test func anIntervalLargerThanARequestIsSentInSeveral() async throws {
        var bench = LayeringBench()
        bench.limits.steps = 1_000_000
        bench.server = SampleServer(stepsLimit: 7)
        try await bench.sync(.snapshot(life, on: 13))
        #expect(try await bench.states() == [.synced])
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(bench.server.sent.count == life.count)
    }

    @Test func aPauseStopsBetweenRequestsAndResumingSendsTheRest() async throws {
        var bench = LayeringBench()
        let hold = bench.hold
        bench.server = SampleServer(stepsLimit: 5) { number, _ in
            if number == 1 { try? hold.set() }
            return nil
        }
        let report = try await bench.sync(.snapshot(life, on: 13))
        #expect(report.delivery?.ending == .held)
        let left = try #require(report.delivery?.left)
        #expect(left > 0 && bench.server.sent.count < life.count)
        let synced = try await bench.states().count { $0 == .synced }
        #expect(synced > 0)
        // Later runs respect it.
        #expect(try await bench.sync().delivery?.ending == .held)
        #expect(try hold.clear())
        let before = bench.server.sent.count
        _ = try await bench.engine.push.run(deadlineSeconds: 60, resuming: true)
        #expect(bench.server.sent.count == life.count && before < life.count)
        #expect(bench.server.alive == LayeringBench.ids(life))
        #expect(try await bench.isAllSynced())
    }

    @Test func samplesDeletedWhileQueuedAreNotSent() async throws {
        let bench = LayeringBench()
        try await bench.sync(.snapshot(life, on: 13), pushes: false)
        try await bench.sync(.snapshot(Array(life.dropFirst(6)), on: 14, at: "b"), pushes: false)
        _ = try await bench.engine.push.run(deadlineSeconds: 60)
        #expect(bench.server.alive == LayeringBench.ids(Array(life.dropFirst(6))))
        #expect(Set(bench.server.sent).isDisjoint(with: LayeringBench.ids(Array(life.prefix(6)))))
        #expect(try await bench.isAllSynced())
    }
}
