import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncMetrics
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization

/// A harness whose in-memory stores persist between commands.
struct StoredWorld {
    let stores: InMemoryStores
    let rows = RowCollector()
    let opened = OpenCounter()
    let hold = InMemoryPause()
    var harness = CommandHarness()

    /// Creates a world. `samples` are those on the server; `nil` for a server that cannot be verified.
    init(
        source: ListSource = ListSource(location: "/work/list"), verdict: ItemVerdict = .delivered,
        time: any TimeSource = FixedTime(), samples: InMemorySampleServer? = nil,
        records: InMemoryRecordServer? = nil
    ) {
        let stores = InMemoryStores(time: time)
        self.stores = stores
        let opened = opened
        let rows = rows
        let hold = hold
        harness.factory.storedDayZones = { _ in try? await stores.tracking.storedDayZones() }
        harness.factory.zoneEvidence = { _ in (try? await stores.tracking.zoneEvidence()) ?? [] }
        harness.factory.deliveryPause = { _ in hold }
        harness.time = time
        harness.files = InMemoryFiles(["/home/anna/.local/share/healthsync/healthsync.sqlite": ""])
        harness.factory.handlers = { _ in
            BuiltInHandlers.all().filter { [.steps, .heartRate, .sleep].contains($0.metric) }
        }
        harness.factory.builtInTypes = Set(
            [SampleTypeDefinition.stepCount, .heartRate, .sleepAnalysis].map(\.type))
        harness.factory.sources = { _, _ in FoundSources([source]) }
        harness.factory.rowWriter = { _, _, _ in rows }
        harness.factory.openEngine = { request in
            opened.count.add(1, ordering: .relaxed)
            let server = request.settings.server.map {
                let sender = ScriptedSender(verdict: verdict, digests: samples != nil, recordDigests: records != nil)
                var server = HealthDestination(
                    address: $0.url, encoder: HTTPRecordEncoder(), sender: sender,
                    sampleEncoder: HTTPRecordEncoder(), eraser: sender)
                server.reader = samples
                server.recordReader = records
                return server
            }
            let ports = EnginePorts(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                shoes: stores.shoes, intervals: stores.intervals, runs: stores.runs, runWatch: stores.runWatch,
                verifications: stores.verifications,
                hold: hold, server: server, hasher: LibcryptoHasher(), time: time, random: SystemRandom(),
                log: request.log, progress: request.progress)
            return OpenEngine(ports: ports, settings: request.engineSettings) {
                opened.count.subtract(1, ordering: .relaxed)
            }
        }
    }

    func run(_ line: String) async -> CommandHarness.Outcome { await harness.run(line) }
}

/// Counts open engines.
final class OpenCounter: Sendable {
    let count = Atomic<Int>(0)
}

/// A server that gives every item the same verdict.
struct ScriptedSender: HealthRecordSender, StoredStepEraser {
    let verdict: ItemVerdict
    let digests: Bool
    var recordDigests = false

    func capabilities() async -> CapabilityAnswer {
        var capabilities = DestinationCapabilities(
            batchLimits: [.progress: 100, .sleep: 100, .snapshots: 100, .steps: 100])
        capabilities.sampleLimit = 100
        capabilities.digests = digests
        capabilities.recordDigests = recordDigests
        return .capabilities(capabilities)
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        guard verdict == .delivered, !batch.sampleIDs.isEmpty else {
            return .items(batch.itemIDs.map { _ in verdict }, status: 200)
        }
        return .items(
            batch.sampleIDs.map { ids in
                var counts = SampleCounts()
                counts.created = ids.count
                return .samples(SampleVerdicts(counts: counts))
            }, status: 200)
    }

    func deleteAllSteps() async throws {}

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        BatchContent(body: records.flatMap(\.payload), path: "/")
    }
}

/// Collects the rows of an export.
final class RowCollector: SampleRowWriter {
    private let rows = Mutex<[SampleRow]>([])
    var all: [SampleRow] { rows.withLock { $0 } }

    func begin() async throws {}
    func append(_ rows: [SampleRow]) async throws { self.rows.withLock { $0 += rows } }
    func finish() async throws {}
    func discard() async { rows.withLock { $0 = [] } }
}
