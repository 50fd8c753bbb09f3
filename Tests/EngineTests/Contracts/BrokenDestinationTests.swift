import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization
import Testing

/// The contract suite of destinations finds the defects that authors make.
struct BrokenDestinationTests {
    @Test func aDestinationWithoutDefectsKeepsTheContract() async { #expect(await violations(of: nil) == []) }

    @Test(arguments: ShelfSender.Defect.allCases.filter { $0 != .hangs })
    func everyDefectViolatesAClause(_ defect: ShelfSender.Defect) async {
        #expect(await violations(of: defect) != [])
    }

    @Test("A sender that hangs, and code that blocks its thread, fail the clause after its limit, and say why")
    func hanging() async throws {
        for clause in clauses(of: .hangs) where clause.name.hasPrefix("delivers") {
            let violation = await #expect(throws: ContractViolation.self) { try await clause.limited(to: 1).check() }
            #expect(
                violation?.description.hasPrefix("did not end within 1 s, nor within 2 s after it was cancelled")
                    == true, "\(clause.name)")
        }
        let blocking = ContractClause("blocks") { Self.block() }
        await #expect(throws: ContractViolation.self) { try await blocking.limited(to: 1).check() }
        try await ContractClause("ends") {}.limited(to: 1).check()
        let failing = ContractClause("fails") { throw SyncFailure(.usage, subject: "a", reason: "b", advice: "c") }
        await #expect(throws: SyncFailure.self) { try await failing.limited(to: 1).check() }
    }

    private static func block() { DispatchSemaphore(value: 0).wait() }

    /// Returns the names of the clauses that fail.
    private func violations(of defect: ShelfSender.Defect?) async -> [String] {
        var names: [String] = []
        for clause in clauses(of: defect) {
            do { try await clause.check() } catch { names.append(clause.name) }
        }
        return names
    }

    private func clauses(of defect: ShelfSender.Defect?) -> [ContractClause] {
        HealthDestinationContract.clauses {
            let shelf = Shelf()
            var fixture = HealthDestinationFixture(
                open: { ShelfSender(shelf: shelf, defect: defect).destination },
                storedCount: { shelf.state.withLock { $0.lines.count } },
                setAvailable: { isAvailable in shelf.state.withLock { $0.isAvailable = isAvailable } })
            fixture.storedIDs = { shelf.storedIDs() }
            fixture.reject = { id in shelf.state.withLock { $0.rejected = id } }
            return fixture
        }
    }
}

/// A store of lines, each of which is stored once.
private final class Shelf: Sendable {
    struct State {
        var lines: Set<String> = []
        var isAvailable = true
        var rejected: String?
    }

    let state = Mutex(State())

    /// Returns the ids whose line with the highest revision is not a deletion. A line is `id revision values`.
    func storedIDs() -> Set<String> {
        var latest: [String: (revision: Int, isDeleted: Bool)] = [:]
        for line in state.withLock(\.lines) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count > 2, let revision = Int(words[1]) else { continue }
            for id in words[0].split(separator: "|").map(String.init) where revision > latest[id]?.revision ?? -1 {
                latest[id] = (revision, words[2] == "deleted")
            }
        }
        return Set(latest.filter { !$0.value.isDeleted }.keys)
    }
}

/// A sender to a shelf, with or without a defect.
struct ShelfSender: HealthRecordSender, HealthRecordEncoder {
    enum Defect: CaseIterable, Sendable {
        case duplicates, losesTheLast, reportsEarly, swallowsErrors, rejectsOnFailure, reversesVerdicts, rejectsAll
        case swallowsDeletions, usesAnotherID, omitsID, omitsRevision, isRandom, hasNoAddress, lacksAVerdict,
            storesOneOfSeveral, revivesDeleted, hangs
    }

    private let shelf: Shelf
    private let defect: Defect?

    fileprivate init(shelf: Shelf, defect: Defect?) {
        self.shelf = shelf
        self.defect = defect
    }

    var destination: HealthDestination {
        HealthDestination(
            address: "shelf:\(defect == .hasNoAddress ? "\(UUID())" : "a")", encoder: self, sender: self)
    }

    func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] {
        line(
            defect == .usesAnotherID ? progress.sourceID : progress.record.entryIDs.joined(separator: "|"),
            progress.revision, "\(progress.record.figures.quantity)")
    }

    func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] {
        line(session.sourceID, session.revision, "\(session.record.interval.end.seconds)")
    }

    func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] {
        line(snapshot.sourceID, snapshot.revision, "\(snapshot.record.steps ?? -1)")
    }

    private func line(_ id: String, _ revision: Int, _ values: String) -> [UInt8] {
        let id = defect == .omitsID ? "" : id
        let revision = defect == .omitsRevision ? 0 : revision
        return Array("\(id) \(revision) \(values)\(defect == .isRandom ? "\(UUID())" : "")".utf8)
    }

    func capabilities() async -> CapabilityAnswer {
        .capabilities(DestinationCapabilities(batchLimits: [.progress: 10, .sleep: 10, .snapshots: 10]))
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        let lines = records.map { $0.isTombstone ? line($0.ids[0], $0.revision, "deleted") : $0.payload }
        return BatchContent(body: Array(lines.joined(separator: [10])))
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        if defect == .hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        if defect == .swallowsDeletions, batch.operation == .delete { return .delivered(batch) }
        guard shelf.state.withLock({ $0.isAvailable }) else {
            if defect == .swallowsErrors { return .delivered(batch) }
            if defect == .rejectsOnFailure { return .items(batch.recordIDs.map { _ in .rejected(reason: "error") }) }
            return .retryBatch(reason: "the shelf is away")
        }
        if defect == .reportsEarly { return .delivered(batch) }
        return store(batch)
    }

    private func store(_ batch: OutboxBatch) -> BatchVerdict {
        var lines = batch.body.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        if defect == .duplicates { lines += ["\(UUID())"] }
        if defect == .revivesDeleted, batch.operation == .store {
            lines = lines.map { line in
                var words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                words[1] = "9"
                return words.joined(separator: " ")
            }
        }
        if defect == .losesTheLast, lines.count > 1 { lines.removeLast() }
        if defect == .storesOneOfSeveral { lines = Array(lines.prefix(1)) }
        var verdicts = shelf.state.withLock { state in
            let rejected = batch.recordIDs.map { $0[0] == state.rejected }
            let kept = zip(lines, rejected).filter { !$1 }.map(\.0) + lines.dropFirst(rejected.count)
            state.lines.formUnion(kept)
            return rejected.map { $0 ? ItemVerdict.rejected(reason: "not wanted") : .delivered }
        }
        if defect == .reversesVerdicts { verdicts.reverse() }
        if defect == .lacksAVerdict { verdicts = verdicts.dropLast() }
        if defect == .rejectsAll, verdicts.contains(where: { $0 != .delivered }) {
            verdicts = verdicts.map { _ in .rejected(reason: "not wanted") }
        }
        return .items(verdicts)
    }
}
