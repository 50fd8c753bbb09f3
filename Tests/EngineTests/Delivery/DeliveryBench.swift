import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

/// A delivery with all its ports, on a clock that the test sets.
struct DeliveryBench {
    static let destination = "https://example.org"

    let time = ManualTime()
    let store: any OutboxStore
    var options = DeliveryOptions()

    init() { store = InMemoryStores(time: time).outbox }

    /// Enqueues `count` items of one record each, identified by number.
    func enqueue(
        _ count: Int, kind: RecordKind = .progress, prefix: String = "r", isTombstone: Bool = false
    ) async throws {
        _ = try await store.enqueue(
            (0..<count).map { Self.item("\(prefix)\($0)", kind: kind, isTombstone: isTombstone) })
    }

    static func item(
        _ id: String, kind: RecordKind = .progress, revision: Int = 1, isTombstone: Bool = false
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(id)@\(revision)", orderingKey: id, revision: revision,
            isTombstone: isTombstone, payload: isTombstone ? [] : Array("{\(id)@\(revision)}".utf8), recordIDs: [id])
    }

    /// Delivers for at most `seconds` of the clock, with the constant random number `fraction`.
    func deliver(
        to server: DeliveryServer, over store: (any OutboxStore)? = nil, seconds: Int64 = 3_600, fraction: Double = 0.5,
        resuming: Bool = false, hold: (any DeliveryPause)? = nil, progress: any ProgressReporter = SilentLog()
    ) async throws -> DeliveryReport {
        try await OutboxDelivery(
            destination: Self.destination, store: store ?? self.store, sender: server, hasher: PlainHasher(),
            time: time, random: FixedChance(value: fraction), log: SilentLog(), progress: progress, options: options,
            hold: hold
        ).run(until: time.now().advanced(bySeconds: seconds), resuming: resuming)
    }

    func counts() async throws -> [DeliveryState: Int] {
        try await store.counts(destination: nil).filter { $0.value > 0 }
    }
}

/// A constant random number; owners still differ.
struct FixedChance: RandomSource {
    private static let calls = Atomic<UInt8>(0)

    var value: Double

    func fraction() -> Double { value }
    func bytes(_ count: Int) -> [UInt8] {
        [UInt8](repeating: Self.calls.wrappingAdd(1, ordering: .relaxed).newValue, count: count)
    }
}

/// A log and progress reporter that ignore everything.
struct SilentLog: EventLog, ProgressReporter {
    func note(_ event: String, level: LogLevel) {}
    func report(phase: String, done: Int64, total: Int64?) {}
    func report(phase: String, done: Int64, total: Int64?, detail: String) {}
}
