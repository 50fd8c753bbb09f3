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
    let hold = InMemoryHold()
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
        harness.factory.countedDays = { _ in try? await stores.tracking.countedDays() }
        harness.factory.zoneEvidence = { _ in (try? await stores.tracking.zoneEvidence()) ?? [] }
        harness.factory.deliveryHold = { _ in hold }
        harness.time = time
        harness.files = InMemoryFiles(["/home/anna/.local/share/healthsync/healthsync.sqlite": ""])
        harness.factory.handlers = { _ in
            BuiltInHandlers.all().filter { [.steps, .heartRate, .sleep].contains($0.metric) }
        }
        harness.factory.sources = { _, _ in FoundSources([source]) }
        harness.factory.rowWriter = { _, _ in rows }
        harness.factory.openEngine = { request in
            opened.count.add(1, ordering: .relaxed)
            let server = request.settings.server.map {
                EnginePorts.Server(
                    encoder: HTTPOutboxEncoder(destination: $0.url),
                    sender: ScriptedSender(verdict: verdict, digests: samples != nil, recordDigests: records != nil),
                    reader: samples, recordReader: records)
            }
            let ports = EnginePorts(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                shoes: stores.shoes, intervals: stores.intervals, runs: stores.runs, runWatch: stores.runWatch,
                verifications: stores.verifications,
                hold: hold, server: server, hasher: LibcryptoHasher(), time: time, random: SystemRandom(),
                log: request.log, progress: request.progress)
            return OpenEngine(engine: SyncEngine(ports: ports, settings: request.engineSettings)) {
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
struct ScriptedSender: OutboxSender {
    let verdict: ItemVerdict
    let digests: Bool
    var recordDigests = false

    func capabilities() async -> CapabilityAnswer {
        var capabilities = DestinationCapabilities(
            batchLimits: [.progress: 100, .sleep: 100, .snapshots: 100, .steps: 100], maxBodyBytes: 1 << 20,
            gzip: false, tombstones: true, results: true)
        capabilities.digests = digests
        capabilities.recordDigests = recordDigests
        return .capabilities(capabilities)
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict {
        guard verdict == .delivered, !batch.sampleIDs.isEmpty else { return .items(batch.itemIDs.map { _ in verdict }) }
        return .items(
            batch.sampleIDs.map { ids in
                var counts = SampleCounts()
                counts.created = ids.count
                return .samples(SampleVerdicts(counts: counts))
            })
    }

    func deleteAllSteps() async throws {}

    func batch(of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities) -> OutboxBatch {
        var batch = OutboxBatch(
            key: items.map(\.content.dedupKey).joined(separator: ","), destination: destination,
            kind: items[0].content.kind, method: "POST", path: "/", body: items.flatMap(\.content.payload),
            itemIDs: items.map(\.id), memberIDs: items.map(\.content.memberIDs))
        if batch.kind.isOfSamples { batch.sampleIDs = items.map { $0.content.slice?.only ?? [] } }
        return batch
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
