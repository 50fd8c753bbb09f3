import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A server that keeps samples by id and revision and can be asked which it has. What a sample that came says is known
/// from `facts`; somebody else may have put in others, or the same ones with another content.
final class ComparedServer: OutboxSender {
    let server: SampleServer
    let reader = InMemorySampleServer()
    private let facts: [SampleID: RawSample]
    private let strange = Mutex<[SampleID: RawSample]>([:])

    init(_ facts: [Fact], server: SampleServer) {
        self.server = server
        self.facts = Dictionary(
            facts.map(VerifyBench.sample).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Somebody else deletes a sample under `revision`; without one it is as if it had never come.
    func lose(_ fact: Fact, revision: Int64? = nil) {
        server.put(VerifyBench.sample(fact).id, revision.map { .init(revision: $0, isDeleted: true) })
        refresh()
    }

    /// Somebody else puts in a sample, or another content under its id.
    func put(_ fact: Fact, value: Double, revision: Int64) {
        var sample = VerifyBench.sample(fact)
        sample.value = value
        sample.revision = Int(revision)
        strange.withLock { [sample] in $0[sample.id] = sample }
        server.put(sample.id, .init(revision: revision, isDeleted: false))
        refresh()
    }

    /// Goes back to what was there then.
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

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict {
        let verdict = await server.send(batch, capabilities: capabilities)
        refresh()
        return verdict
    }

    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch {
        server.batch(of: items, destination: destination, capabilities: capabilities)
    }

    func deleteAllSteps() async throws {
        try await server.deleteAllSteps()
        refresh()
    }

    private func refresh() {
        let strange = strange.withLock { $0 }
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
