import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Deletions of many raw samples.
@Suite struct GroupedDeletionTests {
    private let bench = EngineBench()
    private static let kind = RecordKind(rawValue: "samples/heartRate")

    private static func capabilities(groups: Bool) -> [CapabilityAnswer] {
        var capabilities = DestinationCapabilities(batchLimits: [.sleep: 10])
        capabilities.sampleLimit = 100
        capabilities.groupsSampleDeletions = groups
        return [.capabilities(capabilities)]
    }

    private func enqueue(_ count: Int, kind: RecordKind) async throws {
        _ = try await bench.stores.outbox.enqueue(
            (0..<count).map { DeliveryBench.item("\(kind.rawValue) \($0)", kind: kind, isTombstone: true) })
    }

    private func deliver(to server: DeliveryServer, seconds: Int64 = 3_600) async throws -> DeliveryReport {
        var bench = bench
        bench.destination = DeliveryBench.destination
        var ports = bench.ports
        ports.server = PlainEncoder.destination(DeliveryBench.destination, sender: server)
        let delivery = try #require(OutboxDelivery(ports: ports))
        return try await delivery.run(until: bench.time.now().advanced(bySeconds: seconds))
    }

    @Test(arguments: [true, false]) func areGroupedOnlyForAServerThatAcceptsIt(groups: Bool) async throws {
        try await enqueue(250, kind: Self.kind)
        try await enqueue(3, kind: .sleep)
        let server = DeliveryServer(time: bench.time, capabilities: Self.capabilities(groups: groups))
        #expect(try await deliver(to: server).delivered == 253)
        #expect(server.requests.allSatisfy { $0.batch.operation == .delete })
        let counts = server.requests.filter { $0.batch.kind == Self.kind }.map(\.batch.itemIDs.count)
        #expect(counts.sorted(by: >) == (groups ? [100, 100, 50] : Array(repeating: 1, count: 250)))
        #expect(server.requests.count { $0.batch.kind == .sleep } == 3)
        #expect(try await bench.stores.outbox.counts(destination: nil)[.delivered] == 253)
    }

    @Test func areSplitForAServerThatNoLongerAcceptsGroups() async throws {
        try await enqueue(5, kind: .steps)
        let failing = DeliveryServer(time: bench.time, capabilities: Self.capabilities(groups: true)) { _, _ in
            .init(verdict: .unknown(reason: "x"), stores: false)
        }
        _ = try await deliver(to: failing, seconds: 1)
        #expect(failing.requests.first?.batch.itemIDs.count == 5)
        bench.time.advance(milliseconds: 3_600_000)
        let server = DeliveryServer(time: bench.time, capabilities: Self.capabilities(groups: false))
        #expect(try await deliver(to: server).delivered == 5)
        #expect(server.requests.map(\.batch.itemIDs.count) == [1, 1, 1, 1, 1])
    }
}
