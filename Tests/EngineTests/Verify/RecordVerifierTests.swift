import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The differences that a verification of derived records finds, its requests, and the items that a repair enqueues.
@Suite struct RecordVerifierTests {
    private let server = InMemoryRecordServer()
    private let bench = EngineBench(ProbeHandler(.steps))
    private static let destination = "https://example.org"

    private var engine: SyncEngine { SyncEngine(ports: ports, settings: bench.settings) }

    private var ports: EnginePorts {
        var ports = bench.ports
        var capabilities = VerifyBench.withDigests
        capabilities.recordDigests = true
        ports.server = PlainEncoder.destination(
            Self.destination,
            sender: DeliveryServer(time: bench.time, capabilities: [.capabilities(capabilities)]),
            reader: InMemorySampleServer(), recordReader: server)
        return ports
    }

    /// Creates a local store with figures of some days in three months, and a server that has them all.
    private func fill() async throws {
        try await bench.historical(
            .snapshot((0..<70).map { Fact.steps(Double(100 + $0), day: $0, hour: 8) }, on: 900))
        let records = try await bench.stores.outbox.missingRecords(destination: nil, days: Fact.days(-400, 400))
        for record in records.progress { for entry in record.entries { server.put(entry, .progress) } }
        for record in records.snapshots { server.put(record.entry, .snapshots) }
    }

    private func verify(_ days: DayRange? = nil) async throws -> RecordVerification {
        try #require(try await engine.verify.run(types: [], records: true, days: days)?.records)
    }

    private func found(_ verification: RecordVerification) -> [String] {
        verification.kinds.flatMap { kind in kind.differences.map { "\($0.kind.rawValue) \($0.id)" } }
    }

    private func changed(_ id: String, _ change: (inout RecordEntry) -> Void) throws {
        var entry = try #require(server.entries(of: .progress).first { $0.id == id })
        change(&entry)
        server.put(entry, .progress)
    }

    @Test func equalSidesTakeOneRequestForEachKind() async throws {
        try await fill()
        let verification = try await verify()
        #expect(verification.isEqual && verification.compared >= 140)
        #expect(server.requests == 3)
    }

    @Test func recordsThatTheServerIsNotOfferedAreNoDifferences() async throws {
        try await fill()
        let entries = server.entries(of: .progress).filter { $0.day ?? Fact.day(0) <= Fact.day(9) }
        let listed = entries.filter { $0.day == Fact.day(5) }
        for entry in entries where entry.day != Fact.day(5) { server.lose(entry.id, .progress) }
        #expect(try await verify().kinds.map { $0.count(.missing) } == [entries.count - listed.count, 0, 0])
        bench.stores.upgrade(Self.destination, from: FormerDelivery(lastDay: Fact.day(9), metrics: []))
        #expect(try await verify().isEqual, "the server lists some of them")
        try changed(listed[0].id) { $0.content &+= 1 }
        #expect(found(try await verify()) == ["changed \(listed[0].id)"])
        bench.stores.upgrade(Self.destination, from: FormerDelivery(lastDay: Fact.day(8), metrics: []))
        #expect(try await verify().kinds.first?.count(.missing) == entries.count { $0.day == Fact.day(9) })
    }

    @Test func exactlyTheDifferencesAreFound() async throws {
        try await fill()
        let ids = server.entries(of: .progress).map(\.id)
        server.lose(ids[3], .progress)
        try changed(ids[90]) { $0.content &+= 1 }
        // A record that the server lists in another month is one difference.
        try changed(ids[120]) {
            $0.day = $0.day?.advanced(by: -40)
            $0.content &+= 5
        }
        server.put(
            RecordEntry(id: "steps/hour/x", day: Fact.day(5), revision: 4, content: 9), .progress)
        #expect(
            Set(found(try await verify()))
                == ["missing \(ids[3])", "changed \(ids[90])", "changed \(ids[120])", "surplus steps/hour/x"])
    }

    @Test func onlyTombstonesMissingOnTheServerAreDifferences() async throws {
        try await fill()
        var resent = ResentRecords()
        resent.removed = ["steps/day/a", "steps/day/b", "steps/day/c"].map {
            Tombstone($0, kind: .progress, revision: 7)
        }
        try await bench.stores.tracking.resend(resent)
        func storeTombstone(_ id: String, _ revision: Int) {
            let content = RecordContent.tombstone(id: id, revision: revision)
            server.put(RecordEntry(id: id, day: nil, revision: revision, content: content), .progress)
        }
        storeTombstone("steps/day/b", 6)
        storeTombstone("steps/day/c", 8)
        storeTombstone("steps/day/stranger", 1)
        let verification = try await verify()
        #expect(Set(found(verification)) == ["undeleted steps/day/a", "undeleted steps/day/b"])
        #expect(try await verify(Fact.days(0, 80)).isEqual, "tombstones have no day")
    }

    @Test func aListThatContradictsTheDigestsIsRejected() async throws {
        try await fill()
        let ids = server.entries(of: .progress).map(\.id)
        try changed(ids[0]) { $0.content &+= 1 }
        let lying = LyingRecordServer(server: server)
        var ports = ports
        ports.server?.recordReader = lying
        let engine = SyncEngine(ports: ports, settings: bench.settings)
        let failure = await #expect(throws: SyncFailure.self) {
            try await engine.verify.run(types: [], records: true, days: nil)
        }
        #expect(failure?.code == .unverifiable)
    }

    @Test(arguments: [EndlessRecordServer.Kind.repeatedPage, .newRecords, .tombstones])
    func aListWithoutAnEndIsAFailure(kind: EndlessRecordServer.Kind) async throws {
        try await fill()
        try changed(server.entries(of: .progress)[0].id) { $0.content &+= 1 }
        server.put(RecordEntry(id: "x", day: nil, revision: 1, content: 7), .progress)
        var ports = ports
        ports.server?.recordReader = EndlessRecordServer(server: server, kind: kind)
        let engine = SyncEngine(ports: ports, settings: bench.settings)
        let failure = await #expect(throws: SyncFailure.self) {
            try await engine.verify.run(types: [], records: true, days: nil)
        }
        #expect(failure?.code == .unverifiable)
    }

    @Test func aRepairRaisesExactlyTheRevisionsOfDifferences() async throws {
        try await fill()
        let before = try await bench.stores.outbox.missingRecords(destination: nil, days: Fact.days(-400, 400)).progress
        let first = try #require(before.first)
        server.lose(first.entries[1].id, .progress)
        server.put(
            RecordEntry(id: "steps/hour/\(Fact.day(6))/x", day: Fact.day(6), revision: 1 << 50, content: 9), .progress)
        _ = try await engine.repair.run(
            types: [], records: true, days: nil, allowDeletions: false, deadlineSeconds: 60)
        let after = try await bench.stores.outbox.missingRecords(destination: nil, days: Fact.days(-400, 400)).progress
        #expect(zip(before, after).filter { $0 != $1 }.map(\.1.sourceID) == [first.sourceID])
        #expect(try #require(after.first).revision > first.revision)
        let removed = try await bench.stores.outbox.missingDeletions(destination: nil)
        #expect(removed.map(\.orderingKey) == ["steps/\(Fact.day(6))"] && (removed.first?.revision ?? 0) > 1 << 50)
    }
}

/// A server whose lists lack an entry.
private struct LyingRecordServer: ServerRecordReader {
    let server: InMemoryRecordServer

    func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests {
        try await server.digests(of: kind, days: days)
    }

    func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage {
        var page = try await server.entries(of: kind, days: days, after: after)
        if after == nil { page.entries.removeFirst() }
        return page
    }

    func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage {
        try await server.tombstones(of: kind, after: after)
    }
}

/// A server whose lists do not end.
struct EndlessRecordServer: ServerRecordReader {
    enum Kind: CaseIterable {
        case repeatedPage, newRecords, tombstones
    }

    let server: InMemoryRecordServer
    let kind: Kind

    func digests(of kind: RecordKind, days: DayRange?) async throws -> RecordDigests {
        try await server.digests(of: kind, days: days)
    }

    func entries(of kind: RecordKind, days: DayRange, after: String?) async throws -> RecordEntryPage {
        guard self.kind != .tombstones else { return try await server.entries(of: kind, days: days, after: after) }
        var page = try await server.entries(of: kind, days: days, after: self.kind == .repeatedPage ? nil : after)
        if page.entries.isEmpty {
            page.entries = [RecordEntry(id: (after ?? "") + "x", day: days.first, revision: 1, content: 1)]
        }
        page.next = page.entries.last?.id
        return page
    }

    func tombstones(of kind: RecordKind, after: String?) async throws -> RecordEntryPage {
        var page = try await server.tombstones(of: kind, after: nil)
        if self.kind == .tombstones { page.next = page.entries.last?.id }
        return page
    }
}
