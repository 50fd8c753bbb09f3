import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A server that stores samples by id and revision and returns their digests. The contents of received samples are
/// known from `facts`. Other clients may add samples or change contents.
final class ComparedServer: HealthRecordSender {
    let server: SampleServer
    let reader = InMemorySampleServer()
    private let facts: [SampleID: RawSample]
    private let strange = Mutex<[SampleID: RawSample]>([:])

    init(_ facts: [Fact], server: SampleServer) {
        self.server = server
        self.facts = Dictionary(
            facts.map(VerifyBench.sample).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Deletes a sample under `revision` on behalf of another client; without a revision, as if it had never been
    /// received.
    func lose(_ fact: Fact, revision: Int64? = nil) {
        server.put(VerifyBench.sample(fact).id, revision.map { .init(revision: $0, isDeleted: true) })
        refresh()
    }

    /// Adds a sample, or other contents under its id, on behalf of another client.
    func put(_ fact: Fact, value: Double, revision: Int64) {
        var sample = VerifyBench.sample(fact)
        sample.value = value
        sample.revision = Int(revision)
        strange.withLock { [sample] in $0[sample.id] = sample }
        server.put(sample.id, .init(revision: revision, isDeleted: false))
        refresh()
    }

    /// Restores an earlier state.
    func restore(_ kept: [SampleID: SampleServer.Kept]) {
        for id in server.kept.keys { server.put(id, kept[id]) }
        refresh()
    }

    func capabilities() async -> CapabilityAnswer {
        guard case .capabilities(var capabilities) = await server.capabilities() else {
            return await server.capabilities()
        }
        capabilities.digests = true
        return .capabilities(capabilities)
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        let verdict = await server.send(batch, capabilities: capabilities)
        refresh()
        return verdict
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        server.content(of: records, capabilities: capabilities)
    }

    /// Shows the reader the samples of the server. One lock covers reading and showing; otherwise a concurrent request could
    /// replace a newer state with an older one.
    private func refresh() {
        strange.withLock { strange in
            let samples = server.kept.compactMap { id, kept -> RawSample? in
                guard !kept.isDeleted else { return nil }
                if let other = strange[id], other.revision == Int(kept.revision) { return other }
                var sample = facts[id]
                sample?.revision = Int(kept.revision)
                return sample
            }
            reader.hold(samples, of: SampleTypeDefinition.stepCount.type)
        }
    }
}
