import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A server in memory that stores raw samples by id and revision, by the rules of every receiving store.
final class SampleServer: HealthRecordSender {
    struct Kept: Hashable {
        var revision: Int64
        var isDeleted: Bool
    }

    private struct State {
        var kept: [SampleID: Kept] = [:]
        var sent: [SampleID] = []
        var deleted: [SampleID] = []
        var requests = 0
    }

    private let state = Mutex(State())
    private let answers: @Sendable (Int, OutboxBatch) -> BatchVerdict?
    private let stepsLimit: Int

    /// Creates a server that answers request number `Int`, counted from 0, with the verdict of `answers` and stores
    /// nothing of it; for `nil` it stores the samples. It accepts `stepsLimit` samples in a request.
    init(stepsLimit: Int = 50, answers: @escaping @Sendable (Int, OutboxBatch) -> BatchVerdict? = { _, _ in nil }) {
        self.stepsLimit = stepsLimit
        self.answers = answers
    }

    /// The samples that exist and are not deleted.
    var alive: Set<SampleID> { state.withLock { Set($0.kept.filter { !$0.value.isDeleted }.keys) } }
    /// Every received sample, including repetitions.
    var sent: [SampleID] { state.withLock { $0.sent } }
    var deleted: [SampleID] { state.withLock { $0.deleted } }

    /// Every sample that ever existed.
    var kept: [SampleID: Kept] { state.withLock { $0.kept } }

    /// Changes a sample on behalf of another client.
    func put(_ id: SampleID, _ kept: Kept?) { state.withLock { $0.kept[id] = kept } }

    func forgetWhatCame() {
        state.withLock { state in
            state.sent = []
            state.deleted = []
        }
    }

    func capabilities() async -> CapabilityAnswer {
        .capabilities(
            DestinationCapabilities(
                batchLimits: [.progress: 100, .snapshots: 100, .steps: stepsLimit]))
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests - 1
        }
        if let answer = answers(number, batch) { return answer }
        guard batch.kind.isOfSamples else { return .items(batch.itemIDs.map { _ in .delivered }) }
        if batch.operation == .delete {
            delete(batch)
            return .items([.delivered])
        }
        return .items(store(batch))
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        let payloads = records.map(\.payload).filter { !$0.isEmpty }
        return BatchContent(
            body: Array(payloads.joined(separator: [UInt8(ascii: ",")])), path: "\(records[0].revision)")
    }

    private func delete(_ batch: OutboxBatch) {
        guard let id = batch.recordIDs.first?.first.flatMap({ SampleID($0) }), let revision = Int64(batch.path) else {
            return
        }
        state.withLock { state in
            state.deleted.append(id)
            keep(id, Kept(revision: revision, isDeleted: true), in: &state)
        }
    }

    /// Decodes the bytes of the batch, as a server must.
    private func store(_ batch: OutboxBatch) -> [ItemVerdict] {
        var revisions: [SampleID: Int64] = [:]
        for record in String(decoding: batch.body, as: UTF8.self).split(separator: ",") {
            let parts = record.split(separator: "@")
            if let id = SampleID(parts[0]), let revision = Int64(parts[1]) { revisions[id] = revision }
        }
        return state.withLock { state in
            batch.sampleIDs.map { ids in
                var verdicts = SampleVerdicts()
                for id in ids {
                    guard let revision = revisions[id] else {
                        verdicts.waiting.append([id])
                        continue
                    }
                    state.sent.append(id)
                    switch keep(id, Kept(revision: revision, isDeleted: false), in: &state) {
                    case .created: verdicts.counts.created += 1
                    case .updated: verdicts.counts.updated += 1
                    case .duplicate: verdicts.counts.duplicate += 1
                    }
                }
                return .samples(verdicts)
            }
        }
    }

    @discardableResult
    private func keep(_ id: SampleID, _ new: Kept, in state: inout State) -> StoreOutcome {
        let known = state.kept[id].map { (revision: $0.revision, isDeleted: $0.isDeleted) }
        let outcome = StoreOutcome.of(revision: new.revision, isDeleted: new.isDeleted, over: known)
        if outcome != .duplicate { state.kept[id] = new }
        return outcome
    }
}
