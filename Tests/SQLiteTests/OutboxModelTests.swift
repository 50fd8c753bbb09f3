import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Random senders on the database and on the in-memory outbox, which must agree at every step.
@Suite("The outbox agrees with its model")
struct OutboxModelTests {
    @Test("The same operations have the same results", arguments: Seeds.range(12))
    func sameResults(seed: UInt64) async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        let model = InMemoryStores(time: temporary.time)
        var steps = OutboxSteps(seed: seed, time: temporary.time)
        for _ in 0..<100 { try await steps.take(on: database.outbox, and: model.outbox) }
        #expect(steps.settled > 0)
        try await database.close()
        try PythonSQLite.requireValid(temporary.path)
    }
}

/// One random run of operations.
private struct OutboxSteps {
    private var random: SeededRandom
    private let time: ManualTime
    private var leases: [BatchLease] = []
    private(set) var settled = 0
    private static let destination = "https://one"

    init(seed: UInt64, time: ManualTime) {
        random = SeededRandom(seed: seed)
        self.time = time
    }

    mutating func take(on store: any OutboxStore, and model: any OutboxStore) async throws {
        time.advance(milliseconds: Int64.random(in: 0...20_000, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: try await enqueue(store, model)
        case 2, 3: try await claim(store, model)
        case 4: try await claimBatch(store, model)
        case 5: try await giveBackOrSplit(store, model)
        case 6: try await settle(store, model)
        default:
            let isRetry = Bool.random(using: &random)
            let changed = isRetry ? try await store.retry(ids: nil) : try await store.drop(ids: nil)
            try #require(try await changed == (isRetry ? model.retry(ids: nil) : model.drop(ids: nil)))
        }
        try #require(try await store.counts(destination: nil) == model.counts(destination: nil))
        for state in [nil] + DeliveryState.allCases {
            let items = try await store.items(in: state, destination: nil, limit: 1000)
            try #require(try await items == model.items(in: state, destination: nil, limit: 1000))
        }
    }

    private mutating func enqueue(_ store: any OutboxStore, _ model: any OutboxStore) async throws {
        let items = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            let record = "r\(Int.random(in: 0..<12, using: &random))"
            let revision = Int.random(in: 1...4, using: &random)
            return NewOutboxItem(
                destination: Self.destination, kind: Bool.random(using: &random) ? .progress : .sleep,
                dedupKey: "\(record)@\(revision)", orderingKey: record, revision: revision,
                isTombstone: Int.random(in: 0..<5, using: &random) == 0,
                payload: [UInt8](repeating: 7, count: Int.random(in: 0...50, using: &random)), recordIDs: [record])
        }
        try #require(try await store.enqueue(items) == model.enqueue(items))
    }

    private mutating func claim(_ store: any OutboxStore, _ model: any OutboxStore) async throws {
        let limit = Int.random(in: 1...6, using: &random)
        let bytes = Int.random(in: 1...120, using: &random)
        let owner = "owner \(Int.random(in: 0..<2, using: &random))"
        let now = time.now()
        let until = now.advanced(bySeconds: 30)
        let claim = { (store: any OutboxStore) in
            try await store.claimItems(
                destination: Self.destination, kinds: [.sleep, .progress], limit: limit, byteLimit: bytes,
                owner: owner, now: now, leaseUntil: until)
        }
        let (found, expected) = (try await claim(store), try await claim(model))
        try #require(found.items == expected.items)
        try #require(found.fence == expected.fence)
        guard let first = found.items.first, Int.random(in: 0..<4, using: &random) > 0 else { return }
        let batch = OutboxBatch(
            key: "key \(found.fence)", destination: Self.destination, kind: first.content.kind,
            path: "/", body: [1], itemIDs: found.items.map(\.id), recordIDs: found.items.map(\.content.recordIDs))
        let lease = try await store.freeze(batch, owner: owner, fence: found.fence, leaseUntil: until)
        try #require(
            try await lease == model.freeze(batch, owner: owner, fence: found.fence, leaseUntil: until))
        if let lease { leases.append(lease) }
    }

    private mutating func claimBatch(_ store: any OutboxStore, _ model: any OutboxStore) async throws {
        let now = time.now()
        let until = now.advanced(bySeconds: 30)
        let lease = try await store.claimBatch(
            destination: Self.destination, owner: "batches", now: now, leaseUntil: until)
        try #require(
            try await lease
                == model.claimBatch(destination: Self.destination, owner: "batches", now: now, leaseUntil: until))
        if let lease { leases.append(lease) }
    }

    private mutating func giveBackOrSplit(_ store: any OutboxStore, _ model: any OutboxStore) async throws {
        guard let lease = leases.suffix(2).randomElement(using: &random) else { return }
        let now = time.now()
        guard lease.batch.itemIDs.count > 1, Bool.random(using: &random) else {
            let later = now.advanced(bySeconds: 10)
            let isDone = try await store.giveBack(lease, reason: "503", status: 503, notBefore: later, now: now)
            try #require(
                try await isDone == model.giveBack(lease, reason: "503", status: 503, notBefore: later, now: now))
            return
        }
        let middle = lease.batch.itemIDs.count / 2
        let parts = [(0..<middle, "l"), (middle..<lease.batch.itemIDs.count, "r")].map { range, suffix in
            var part = lease.batch
            part.key += suffix
            part.itemIDs = Array(part.itemIDs[range])
            part.recordIDs = Array(part.recordIDs[range])
            return part
        }
        try #require(try await store.split(lease, into: parts) == model.split(lease, into: parts))
    }

    private mutating func settle(_ store: any OutboxStore, _ model: any OutboxStore) async throws {
        guard let lease = leases.suffix(2).randomElement(using: &random) else { return }
        let now = time.now()
        let verdicts = lease.batch.itemIDs.map { _ -> ItemVerdict in
            [.delivered, .delivered, .rejected(reason: "no"), .retry].randomElement(using: &random) ?? .retry
        }
        let isDone = try await store.settle(lease, verdicts: verdicts, status: 200, now: now)
        try #require(try await isDone == model.settle(lease, verdicts: verdicts, status: 200, now: now))
        if isDone { settled += 1 }
    }
}
