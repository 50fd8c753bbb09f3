import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct VerifyTests {
    private static let facts = (0..<4_000).map { Fact(minute: $0 * 37, value: Double($0 % 90 + 1)) }

    @Test(
        arguments: ServerSampleReaderContract.clauses { check in
            let server = InMemorySampleServer()
            let samples = ServerSampleReaderContract.samples(60)
            server.hold(samples, of: VerifyBench.type.type)
            try await check(.init(reader: server, type: VerifyBench.type.type, samples: samples))
        })
    func theFakeSatisfiesTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func equalSidesTakeOneRequest() async throws {
        let bench = VerifyBench()
        bench.server.hold(try await bench.keep(Self.facts), of: VerifyBench.type.type)
        let report = try await bench.engine.verify.run(types: [VerifyBench.type], days: nil)
        #expect(report?.isEqual == true)
        #expect(report?.types.map(\.localCount) == [4_000] && report?.types.map(\.serverCount) == [4_000])
        // The ten roots of three centuries, four in each request.
        #expect(bench.server.requests == 3)
    }

    @Test func aServerWithoutSamplesTakesNoFurtherRequests() async throws {
        let bench = VerifyBench()
        _ = try await bench.keep(Self.facts)
        let report = try await bench.engine.verify.run(types: [VerifyBench.type], days: nil)
        #expect(report?.types.map { $0.count(.missing) } == [4_000])
        #expect(bench.server.requests == 3)
    }

    @Test func fewDifferencesTakeFewRequests() async throws {
        let bench = VerifyBench()
        var samples = try await bench.keep(Self.facts)
        samples[100].value += 1
        samples.remove(at: 2_000)
        let stranger = Fact(origin: Fact.watch, minute: 100_000, value: 5)
        samples.append(VerifyBench.sample(stranger))
        bench.server.hold(samples, of: VerifyBench.type.type)
        let found = try await bench.verify()
        #expect(found.flatMap(\.samples).map(\.kind) == [.changed, .missing, .surplus])
        #expect(bench.server.requests < 60)
    }

    @Test("What waits was changed since the server was verified as equal, also by an interrupted run")
    func changedSince() async throws {
        var bench = EngineBench()
        bench.destination = "https://one"
        let stores = bench.stores
        func hasChanged() async throws -> Bool? {
            try await bench.engine.status.run().verification?.hasChangedSince
        }
        try await stores.verifications.setLastVerification(
            Verification(at: bench.time.now(), verdict: .equal), of: "https://one")
        #expect(try await hasChanged() == false)
        let item = NewOutboxItem(
            destination: "https://one", kind: .steps, dedupKey: "a@1", orderingKey: "a", revision: 1,
            isTombstone: false,
            payload: [0x7B], recordIDs: ["a"])
        _ = try await stores.outbox.enqueue([item])
        #expect(try await hasChanged() == true)
        _ = try await stores.outbox.forget(destination: "https://one")
        try await stores.verifications.setLastVerification(
            Verification(at: bench.time.now(), verdict: .equal), of: "https://one")
        for (ending, isKnown) in [(RunEnding.cancelled, true), (.completed, false)] {
            bench.time.advance(milliseconds: 1_000)
            try await stores.verifications.setLastVerification(
                Verification(at: bench.time.now(), verdict: .equal), of: "https://one")
            bench.time.advance(milliseconds: 1_000)
            let id = try await stores.runs.begin(.historical, at: bench.time.now(), days: nil, keeping: 9)
            try await stores.runs.end(id, RunEnd(at: bench.time.now(), ending: ending), days: nil)
            #expect(try await hasChanged() == isKnown, "\(ending)")
        }
    }

    @Test func aFailedRequestGivesNoResult() async throws {
        let whole = VerifyBench()
        var samples = try await whole.keep(Self.facts)
        samples.remove(at: 2_000)
        whole.server.hold(samples, of: VerifyBench.type.type)
        _ = try await whole.verify()
        for requests in 0..<whole.server.requests {
            let bench = VerifyBench()
            _ = try await bench.keep(Self.facts)
            bench.server.hold(samples, of: VerifyBench.type.type)
            bench.server.fail(after: requests)
            let failure = await #expect(throws: SyncFailure.self) { try await bench.verify() }
            #expect(failure?.code == .serverUnavailable)
        }
    }

    @Test func aServerThatContradictsItselfIsRejected() async throws {
        let bench = VerifyBench()
        bench.server.hold(try await bench.keep(Self.facts), of: VerifyBench.type.type)
        bench.server.lie()
        let failure = await #expect(throws: SyncFailure.self) { try await bench.verify() }
        #expect(failure?.code == .unverifiable)
    }

    @Test(arguments: [DeliveryServer.plain, DeliveryServer.full])
    func aServerWithoutDigestsReceivesNoRequests(capabilities: DestinationCapabilities) async throws {
        let bench = VerifyBench(capabilities: capabilities)
        _ = try await bench.keep(Self.facts)
        let failure = await #expect(throws: SyncFailure.self) { try await bench.verify() }
        #expect(
            failure?.code == .unverifiable && failure?.reason.hasPrefix("this destination cannot be verified") == true)
        #expect(bench.server.requests == 0 && bench.sender.requests.isEmpty)
    }

    @Test func aggregatesOfAFeedAreNotSamples() async throws {
        let bench = VerifyBench()
        try await bench.bench.importSources(.feed([Fact(origin: Fact.buckets, minute: 5, value: 700)]))
        #expect(try await bench.verify().isEmpty)
    }
}
