import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit

/// Local samples, and a server that may have others.
struct VerifyBench {
    let bench = EngineBench()
    let server = InMemorySampleServer()
    var sender: DeliveryServer

    static let type = SampleTypeDefinition.stepCount

    init(capabilities: DestinationCapabilities = VerifyBench.withDigests) {
        sender = DeliveryServer(time: bench.time, capabilities: [.capabilities(capabilities)])
    }

    static var withDigests: DestinationCapabilities {
        var capabilities = DeliveryServer.full
        capabilities.digests = true
        return capabilities
    }

    var engine: SyncEngine {
        var ports = bench.ports
        ports.server = PlainEncoder.destination("https://example.org", sender: sender, reader: server)
        return SyncEngine(ports: ports, settings: bench.settings)
    }

    /// Stores `facts` locally; returns what a server has that received all of them.
    func keep(_ facts: [Fact]) async throws -> [RawSample] {
        try await bench.importSources(.snapshot(facts, on: 900))
        return facts.map(Self.sample)
    }

    /// Returns `fact` in the form in which the server has it.
    static func sample(_ fact: Fact) -> RawSample {
        let interval = InstantRange(
            start: fact.start, end: fact.start.advanced(bySeconds: Int64(fact.minutes) * 60))
        let id = PlainHasher().sampleID(
            type: fact.type.type, interval: interval, value: fact.value, unit: fact.type.unit, origin: fact.origin)
        return RawSample(id: id, start: interval.start, end: interval.end, value: fact.value)
    }

    func verify(_ days: DayRange? = nil) async throws -> [IntervalDifference] {
        try await engine.verify.run(types: [Self.type], days: days)?.types.flatMap(\.differences) ?? []
    }
}
