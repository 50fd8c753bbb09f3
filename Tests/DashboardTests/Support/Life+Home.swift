import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization

extension Life {
    /// The server that rejects the records of `refuse`.
    static let destination = "https://health.example"

    private var engine: SyncEngine {
        SyncEngine(
            ports: EnginePorts(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                shoes: stores.shoes, intervals: stores.intervals, runs: stores.runs, runWatch: stores.runWatch,
                verifications: stores.verifications,
                hold: InMemoryPause(), server: nil,
                hasher: LibcryptoHasher(), time: ManualTime(now),
                random: SystemRandom(), log: Silence(), progress: Silence()),
            settings: EngineSettings(clock: clock, originPriority: OriginPriority(), handlers: []))
    }

    /// The paired devices.
    var devices: PairedDevices {
        PairedDevices(
            store: tokens, offers: offers, hasher: LibcryptoHasher(), random: SystemRandom(), time: ManualTime(now))
    }

    /// What the pages need in addition to the records.
    var home: LocalSources {
        LocalSources(
            samples: stores.pages, intervals: stores.intervals, outbox: stores.outbox,
            outboxActions: Retrying(outbox: stores.outbox), deliveryActions: actions,
            server: { KnownServer(destination: Self.destination, isConfigured: true) }, hold: hold, runs: engine.runs,
            shoes: engine.shoes, shoeActions: engine.shoes,
            devices: DeviceSources(
                actions: devices, qrCodes: LibqrencodeEncoder(), reception: { [reception] in reception }))
    }

    /// Sends a form to `address` and returns the response.
    func post(_ address: String, _ form: [(String, String)]) async -> WebResponse {
        var request = Self.request(address)
        request.method = .post
        request.form = form.map { WebField($0.0, $0.1) }
        return await pages.answer(request)
    }

    /// Enqueues a record that the server rejects with `reason`; returns the id of its item.
    func refuse(_ key: String, reason: String) async throws -> Int64 {
        let store = stores.outbox
        let item = NewOutboxItem(
            destination: Self.destination, kind: .sleep, dedupKey: "\(key)@1", orderingKey: key, revision: 1,
            payload: Array("{}".utf8), recordIDs: [key])
        _ = try await store.enqueue([item])
        let until = now.advanced(bySeconds: 60)
        let (items, fence) = try await store.claimItems(
            destination: Self.destination, kinds: [.sleep], limit: 10, byteLimit: 1 << 20, owner: "test", now: now,
            leaseUntil: until)
        let batch = OutboxBatch(
            key: key, destination: Self.destination, kind: .sleep, path: "/api/v1/sleep",
            body: Array("{}".utf8), itemIDs: items.map(\.id), recordIDs: items.map { _ in [key] })
        guard let lease = try await store.freeze(batch, owner: "test", fence: fence, leaseUntil: until) else {
            throw ContractViolation("no lease")
        }
        _ = try await store.settle(
            lease, verdicts: items.map { _ in .rejected(reason: reason) }, status: 422, now: now)
        guard let id = items.first?.id else { throw ContractViolation("no item") }
        return id
    }
}

private struct Retrying: OutboxActions {
    let outbox: any OutboxStore

    func retry(ids: [Int64]?) async throws -> Int { try await outbox.retry(ids: ids) }
}

private struct Silence: EventLog, ProgressReporter {
    func note(_ event: String, level: LogLevel) {}
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}
