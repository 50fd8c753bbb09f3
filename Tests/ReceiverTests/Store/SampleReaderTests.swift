import HealthSyncDomain
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import Testing

/// The client's queries against our own server.
@Suite struct SampleReaderTests {
    @Test(
        arguments: [SampleTypeDefinition.stepCount, .heartRate].flatMap { definition in
            ServerSampleReaderContract.clauses { check in try await Self.withServer(of: definition.type, check) }
        })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func anUnavailableServerIsAnError() async throws {
        let reader = try Self.reader(port: 1)
        let interval = GridInterval.root(containing: Instant(milliseconds: 0))
        let failure = await #expect(throws: SyncFailure.self) {
            try await reader.digests(of: SampleTypeDefinition.stepCount.type, in: [interval])
        }
        #expect(failure?.code == .serverUnavailable)
    }

    @Test func aTokenWithoutTheScopeReadIsAnError() async throws {
        try await ServerUnderTest.run(allowsOpenAccess: false) { server in
            let reader = try Self.reader(port: server.port, token: try await server.token("anna", [.ingest]))
            let range = GridInterval.root(containing: Instant(milliseconds: 0)).range
            let failure = await #expect(throws: SyncFailure.self) {
                try await reader.samples(of: SampleTypeDefinition.stepCount.type, in: range, from: nil)
            }
            #expect(failure?.code == .serverUnavailable && failure?.reason.contains("403") == true)
        }
    }

    @Test func revisionsAreReturned() async throws {
        try await Self.withServer(of: SampleTypeDefinition.stepCount.type, revision: 3) { subject in
            let range = GridInterval.root(containing: subject.samples[0].start).range
            let page = try await subject.reader.samples(of: subject.type, in: range, from: nil)
            #expect(page.samples.map(\.revision) == subject.samples.map { _ in 3 })
        }
    }

    private static func reader(port: Int, token: String? = nil) throws -> HTTPSampleReader {
        var settings = try HTTPOutboxSettings(
            address: ServerAddress("http://127.0.0.1:\(port)"), token: token, profile: "profile")
        // Only a request that hangs takes so long.
        settings.connectTimeoutMilliseconds = 1_200_000
        settings.totalTimeoutMilliseconds = 1_200_000
        return HTTPSampleReader(settings, time: SystemClock(environment: [:]))
    }

    private static func withServer(
        of type: SampleType, revision: Int64 = 0,
        _ check: @Sendable (ServerSampleReaderContract.Subject) async throws -> Void
    ) async throws {
        let store = InMemoryReceivedDataStore()
        let samples = ServerSampleReaderContract.samples(60)
        var batch = ReceivedSampleBatch()
        batch.samples = samples.map {
            ReceivedSample(id: $0.id, start: $0.start, end: $0.end, value: $0.value, revision: revision, origin: -1)
        }
        let name = type == SampleTypeDefinition.stepCount.type ? "steps" : type.shortName
        _ = try await store.store(
            ReceivedWrite(
                user: .local, key: nil, receivedAt: ReceivingSamples.now,
                content: .samples(type: name, batch)))
        try await ServerUnderTest.run(store: store) { server in
            try await check(.init(reader: try reader(port: server.port), type: type, samples: samples))
        }
    }
}
