import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A server in memory that stores raw samples by id and revision, by the rules of every receiving store.
final class SampleServer: OutboxSender {
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
    private let answers: @Sendable (Int, OutboxBatch) -> ResponseVerdict?
    private let stepsLimit: Int

    /// Creates a server that answers request number `Int`, counted from 0, with the verdict of `answers` and stores
    /// nothing of it; for `nil` it stores the samples. It accepts `stepsLimit` samples in a request.
    init(stepsLimit: Int = 50, answers: @escaping @Sendable (Int, OutboxBatch) -> ResponseVerdict? = { _, _ in nil }) {
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
                batchLimits: [.progress: 100, .snapshots: 100, .steps: stepsLimit], maxBodyBytes: 1 << 20, gzip: false,
                tombstones: true, results: true))
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests - 1
        }
        if let answer = answers(number, batch) { return answer }
        guard batch.kind.isOfSamples else { return .items(batch.itemIDs.map { _ in .delivered }) }
        if batch.method == "DELETE" {
            delete(batch)
            return .items([.delivered])
        }
        return .items(store(batch))
    }

    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch {
        let isTombstone = items.first?.content.isTombstone ?? false
        var batch = OutboxBatch(
            key: items.map { "\($0.id)" }.joined(separator: ","), destination: destination,
            kind: items.first?.content.kind ?? .progress, method: isTombstone ? "DELETE" : "POST",
            path: "\(items.first?.content.revision ?? 0)",
            body: Array(
                items.map { String(decoding: $0.content.payload, as: UTF8.self) }.filter { !$0.isEmpty }
                    .joined(separator: ",").utf8), itemIDs: items.map(\.id), memberIDs: items.map(\.content.memberIDs))
        if batch.kind.isOfSamples, !isTombstone { batch.sampleIDs = items.map { $0.content.slice?.only ?? [] } }
        return batch
    }

    func deleteAllSteps() async throws { state.withLock { $0.kept = [:] } }

    private func delete(_ batch: OutboxBatch) {
        guard let id = batch.memberIDs.first?.first.flatMap({ SampleID($0) }), let revision = Int64(batch.path) else {
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
