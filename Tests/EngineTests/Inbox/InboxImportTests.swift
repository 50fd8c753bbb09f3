import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

@Suite("Importing posts of the inbox") struct InboxImportTests {
    private let bench = EngineBench(ProbeHandler())
    private let inbox = InMemoryInboxArchive()
    private let ledger = FakeLedger()

    private func importer(_ decoders: [any InboxDecoder] = [LineDecoder()], posts: Int = 500) -> InboxImport {
        var limits = InboxImport.Limits()
        limits.posts = posts
        return InboxImport(
            archive: inbox, ledger: ledger, decoders: decoders, context: SourceContext(clock: bench.clock),
            hasher: PlainHasher(), time: bench.time, limits: limits)
    }

    private func sync(_ sources: [any HealthDataSource]) async throws -> RunReport {
        var options = Sync.Options()
        options.userProfileID = EngineBench.person
        return try await bench.engine.sync.run(.daily(), sources: sources, options: options)
    }

    private func run(
        _ decoders: [any InboxDecoder] = [LineDecoder()], posts: Int = 500
    ) async throws -> InboxReport? {
        try await importer(decoders, posts: posts).run { try await sync($0) }
    }

    @Test("posts become days, and their outcomes are stored")
    func decodesPosts() async throws {
        inbox.add("1", "0 8 100\n0 9 50")
        inbox.add("2", "1 8 7\nnonsense")
        let report = try #require(try await run())
        #expect(report.decoded == 2 && report.samplesStored == 3 && report.days >= 2)
        #expect(try await bench.sums()[Fact.day(0)]?.first == 150)
        #expect(inbox.waitingIDs.isEmpty)
        #expect(inbox.outcomes["1"]?.records == 2 && inbox.outcomes["1"]?.rejected == 0)
        #expect(inbox.outcomes["2"]?.records == 2 && inbox.outcomes["2"]?.rejected == 1)
        #expect(try await run() == nil)
    }

    @Test("a post that cannot be decoded does not stop the others")
    func skipsUndecodablePosts() async throws {
        inbox.add("1", "0 8 100")
        inbox.add("2", "!")
        inbox.add("3", "0 9 1", app: "stranger")
        inbox.add("4", "", damaged: true)
        inbox.add("5", "0 9 50")
        let report = try #require(try await run())
        #expect(report.decoded == 2 && report.undecoded.count == 3)
        #expect(try await bench.sums()[Fact.day(0)]?.first == 150)
        #expect(inbox.outcomes["2"]?.sender == "lines" && inbox.outcomes["2"]?.reason == "not lines")
        #expect(inbox.outcomes["3"]?.isDecoded == false && inbox.outcomes["3"]?.sender == nil)
        #expect(inbox.outcomes["4"]?.reason == "cannot be decompressed")
        #expect(inbox.waitingIDs.isEmpty)
    }

    @Test("after a crash before the outcome is stored, nothing counts twice")
    func decodesAgainAfterACrash() async throws {
        inbox.add("1", "0 8 100")
        inbox.failSettling(with: SyncFailure(.storage, subject: "1", reason: "full", advice: ""))
        await #expect(throws: SyncFailure.self) { try await run() }
        #expect(inbox.waitingIDs == ["1"])
        inbox.failSettling(with: nil)
        let report = try #require(try await run())
        #expect(report.decoded == 1 && report.samplesStored == 0)
        #expect(inbox.outcomes["1"]?.records == 1)
        #expect(try await bench.sums()[Fact.day(0)]?.first == 100)
    }

    @Test("after a failed import all posts wait")
    func keepsPostsAfterAFailure() async throws {
        inbox.add("1", "0 8 100")
        inbox.add("2", "!")
        inbox.add("3", "0 9 1")
        let failure = SyncFailure(.storage, subject: "database", reason: "full", advice: "")
        await #expect(throws: failure) { try await importer().run { _ in throw failure } }
        #expect(inbox.waitingIDs == ["1", "2", "3"])
        #expect(try await run()?.decoded == 2)
    }

    @Test("a post whose content makes the import fail is set aside")
    func isolatesAPoisonousPost() async throws {
        for id in 1...3 { inbox.add("\(id)", "0 \(7 + id) \(id)") }
        let report = try await importer().run { sources in
            for source in sources {
                let reading = try await source.read(SampleSelection(types: [.stepCount])) { batch in
                    if (0..<batch.count).contains(where: { batch.values[$0] == 2 }) {
                        throw SyncFailure(.unexpected, subject: "x", reason: "poison", advice: "")
                    }
                }
                _ = reading
            }
            return try await sync(sources)
        }
        #expect(report?.decoded == 2 && report?.undecoded.map(\.id) == ["2"])
        #expect(report?.undecoded.first?.reason == "poison" && report?.undecoded.first?.sender == "lines")
        #expect(inbox.waitingIDs.isEmpty)
        #expect(try await bench.sums()[Fact.day(0)]?.first == 4)
    }

    @Test("consecutive posts of an app are one source, unless a post is complete in itself")
    func groupsPosts() async throws {
        for (id, app) in [("1", "a"), ("2", "a"), ("3", "b"), ("4", "b"), ("5", "a")] {
            inbox.add(id, "0 8 1", app: app)
        }
        let locations = Mutex<[String]>([])
        _ = try await importer([LineDecoder(name: "a"), LineDecoder(name: "b", combinesPosts: false)]).run { sources in
            locations.withLock { $0 = sources.map(\.location) }
            return try await sync(sources)
        }
        #expect(locations.withLock { $0 } == ["inbox: a", "inbox: b", "inbox: b", "inbox: a"])
    }

    @Test("the parts of a complete window are one source")
    func groupsParts() async throws {
        for (id, text) in [("1", "0 8 1"), ("2", "0 9 1\n0 10 1"), ("3", "1 8 1\n1 9 1"), ("4", "2 8 1")] {
            inbox.add(id, text, app: "a")
        }
        let count = Mutex(0)
        _ = try await importer([LineDecoder(name: "a", combinesPosts: false)]).run { sources in
            count.withLock { $0 = sources.count }
            return try await sync(sources)
        }
        #expect(count.withLock { $0 } == 3)
    }

    @Test("a limited number of posts is imported at a time, in order")
    func boundsABatch() async throws {
        for id in 1...5 { inbox.add("\(id)", "0 \(id) 1") }
        #expect(try await run(posts: 2)?.decoded == 2)
        #expect(inbox.waitingIDs == ["3", "4", "5"])
        #expect(try await run(posts: 2)?.decoded == 2)
        #expect(try await run(posts: 2)?.decoded == 1)
        #expect(try await run(posts: 2) == nil)
    }

    @Test("a gap in numbered deliveries is reported once and disappears when it is filled")
    func reportsGaps() async throws {
        inbox.add("1", "# phone 16")
        inbox.add("2", "# phone 20")
        #expect(try await run()?.gaps == ["lines: deliveries 17–19 are missing"])
        inbox.add("3", "# phone 18")
        #expect(try await run()?.gaps == [])
        let missing = try await ledger.sequences().flatMap(\.missing)
        #expect(missing == [17...17, 19...19])
        inbox.add("4", "# phone 17\n# phone 19\n# tablet 1")
        #expect(try await run()?.gaps == [])
        #expect(try await ledger.sequences().allSatisfy(\.missing.isEmpty))
    }
}
