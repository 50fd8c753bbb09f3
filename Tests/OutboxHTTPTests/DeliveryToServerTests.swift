import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Outbox, delivery and libcurl together. The files of the independent Python server show what arrived.
@Suite("Delivery to a server")
struct DeliveryToServerTests {
    private var outbox: any OutboxStore = InMemoryStores(time: SystemClock(environment: [:])).outbox

    private func enqueueSteps(days: Int, for address: String) async throws {
        let destination = try Senders.destination(address)
        let first = CalendarDay(utcDayOf: Instant(seconds: 1_704_067_200))
        for index in 0..<days {
            let day = first.advanced(by: index).description
            let record = RevisedRecord(
                try Samples.steps(day, quantity: Double(index)), sourceID: "steps/\(day)", revision: 1)
            _ = try await outbox.enqueue([destination.item(for: record)])
        }
    }

    private func deliver(
        to address: String, seconds: Int64 = 1_200, resuming: Bool = false, token: String? = nil,
        timeout: Int = Senders.patience,
        progress: any ProgressReporter = Quiet()
    ) async throws -> DeliveryReport {
        var options = DeliveryOptions()
        options.policy.baseMilliseconds = 20
        options.policy.capMilliseconds = 200
        options.requestTimeoutMilliseconds = Int64(timeout)
        let time = SystemClock(environment: [:])
        return try await OutboxDelivery(
            destination: address, store: outbox,
            sender: try Senders.sender(to: address, token: token, timeout: timeout), hasher: LibcryptoHasher(),
            time: time,
            random: SystemRandom(), log: Quiet(), progress: progress, options: options
        ).run(until: time.now().advanced(bySeconds: seconds), resuming: resuming)
    }

    private struct Quiet: EventLog, ProgressReporter {
        func note(_ event: String, level: LogLevel) {}
        func report(phase: String, done: Int64, total: Int64?) {}
        func report(phase: String, done: Int64, total: Int64?, detail: String) {}
    }

    /// Finishes `first` when a record has been delivered.
    private struct Deliveries: ProgressReporter {
        let first: AsyncStream<Void>
        private let note: AsyncStream<Void>.Continuation

        init() { (first, note) = AsyncStream.makeStream() }

        func report(phase: String, done: Int64, total: Int64?) {
            if done > 0 { note.finish() }
        }

        func report(phase: String, done: Int64, total: Int64?, detail: String) {
            report(phase: phase, done: done, total: total)
        }
    }

    /// Expects two records per day, each created once, and one content per key.
    private func expectEachOnce(_ peer: PeerServer, days: Int) throws {
        let created = try peer.created(.progress)
        #expect(created.count == 2 * days)
        #expect(created.values.allSatisfy { $0 == 1 })
        #expect(try peer.everyKeyHasOneContent())
        #expect(try peer.violations() == 0)
    }

    @Test("Ten years of days are delivered, each record once")
    func tenYears() async throws {
        let peer = try await PeerServer()
        try await enqueueSteps(days: 3_653, for: peer.address)
        let report = try await deliver(to: peer.address)
        #expect(report.delivered == 3_653)
        #expect(report.failure == nil)
        try expectEachOnce(peer, days: 3_653)
        #expect(try peer.requests().allSatisfy { ($0.records ?? 0) <= 2_000 && ($0.bytes ?? 0) <= 1 << 20 })
    }

    @Test("Under one fault after another everything is delivered, each record once")
    func misbehaviour() async throws {
        let peer = try await PeerServer(
            script: """
                [{"match":"GET *","do":"status","status":503},
                 {"match":"POST *","do":"too_large","limit":300,"times":null},
                 {"match":"POST *","do":"status","status":503,"headers":{"Retry-After":"1"}},
                 {"match":"POST *","do":"close"},
                 {"match":"POST *","do":"close_after_store"},
                 {"match":"POST *","do":"garbage"},
                 {"match":"POST *","do":"truncate"},
                 {"match":"POST *","do":"status","status":500},
                 {"match":"POST *","do":"forget","count":5},
                 {"match":"POST *","do":"retry_items","ids":["steps/day/2024-01-05"]},
                 {"match":"POST *","do":"sparse"},
                 {"match":"POST *","do":"huge_body"},
                 {"match":"POST *","do":"status","status":409},
                 {"match":"POST *","do":"status","status":429}]
                """)
        try await enqueueSteps(days: 700, for: peer.address)
        let report = try await deliver(to: peer.address)
        #expect(report.delivered == 700)
        #expect(report.left == 0)
        #expect(report.dead == 0)
        try expectEachOnce(peer, days: 700)
        // The learned limit, or twice that, which is tried once per run.
        #expect(try await outbox.destinationState(peer.address).batchLimits[.progress] ?? 9_999 <= 600)
    }

    @Test("The same with the database, which has the whole state when it is opened again")
    func database() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "healthsync.sqlite")
        let time = SystemClock(environment: [:])
        let peer = try await PeerServer(
            script: """
                [{"match":"POST *","do":"too_large","limit":300,"times":null}, {"match":"POST *","do":"close_after_store"},
                 {"match":"POST *","do":"garbage"}, {"match":"POST *","do":"forget","count":5}]
                """)
        var here = self
        here.outbox = try await SQLiteDatabase.open(at: path, access: .readWrite, time: time).outbox
        try await here.enqueueSteps(days: 400, for: peer.address)
        #expect(try await here.deliver(to: peer.address).delivered == 400)
        try expectEachOnce(peer, days: 400)
        here.outbox = try await SQLiteDatabase.open(at: path, access: .readWrite, time: time).outbox
        #expect(try await here.outbox.counts(destination: nil).filter { $0.value > 0 } == [.delivered: 400])
        let requests = try peer.requests().count
        try await here.enqueueSteps(days: 400, for: peer.address)
        #expect(try await here.deliver(to: peer.address).delivered == 0)
        #expect(try peer.requests().count == requests)
    }

    @Test("Nothing is sent before the time of Retry-After")
    func retryAfter() async throws {
        let peer = try await PeerServer(
            script: #"[{"match":"POST *","do":"status","status":429,"headers":{"Retry-After":"1"}}]"#)
        try await enqueueSteps(days: 3, for: peer.address)
        let time = SystemClock(environment: [:])
        let start = time.now()
        #expect(try await deliver(to: peer.address).delivered == 3)
        #expect(time.now() >= start.advanced(bySeconds: 1))
        try expectEachOnce(peer, days: 3)
    }

    @Test("A rejected token pauses delivery and keeps everything; with a valid token it continues")
    func token() async throws {
        let peer = try await PeerServer(token: "right")
        try await enqueueSteps(days: 5, for: peer.address)
        guard case .paused(let reason) = try await deliver(to: peer.address, token: "wrong").ending else {
            Issue.record("a rejected token does not pause")
            return
        }
        #expect(reason.contains("--token-file"))
        #expect(try await outbox.counts(destination: nil) == [.pending: 5])
        #expect(try await deliver(to: peer.address, resuming: true, token: "right").delivered == 5)
        try expectEachOnce(peer, days: 5)
    }

    @Test("A record that the server always rejects is isolated by bisection and becomes a dead letter")
    func poison() async throws {
        let peer = try await PeerServer(
            script: #"[{"match":"POST *","do":"reject_all_422","times":null,"ids":["steps/day/2024-01-20"]}]"#)
        try await enqueueSteps(days: 60, for: peer.address)
        let report = try await deliver(to: peer.address)
        #expect(report.delivered == 59)
        #expect(report.dead == 1)
        let dead = try await outbox.items(in: .dead, destination: nil, limit: 9)
        #expect(dead.map(\.content.dedupKey) == ["steps/2024-01-20@1"])
        #expect(try peer.created(.progress).count == 118)
        #expect(try peer.everyKeyHasOneContent())
    }

    @Test("A server that is killed during delivery and restarted has each record once")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let first = try await PeerServer(
            script: #"[{"match":"POST *","do":"slow","seconds":3,"when":"after","times":1,"after":1}]"#,
            folder: folder)
        let address = first.address
        try await enqueueSteps(days: 3_000, for: address)
        let deliveries = Deliveries()
        let run = Task { try await deliver(to: address, progress: deliveries) }
        for await _ in deliveries.first {}
        first.server.kill()
        let second = try await PeerServer(port: first.server.port, folder: folder)
        #expect(try await run.value.delivered == 3_000)
        try expectEachOnce(second, days: 3_000)
    }

    @Test("A plain server receives one session per request, and only the kinds that it supports")
    func plain() async throws {
        let peer = try await PeerServer(plain: true)
        let destination = try Senders.destination(peer.address)
        for index in 1...3 {
            let session = try Samples.session(sourceName: "Watch", offset: 3600, day: "2024-01-1\(index)")
            _ = try await outbox.enqueue([
                destination.item(for: RevisedRecord(session, sourceID: "s\(index)", revision: 1))
            ])
        }
        try await enqueueSteps(days: 2, for: peer.address)
        let report = try await deliver(to: peer.address)
        #expect(report.delivered == 3)
        #expect(report.left == 2)
        #expect(report.unsupportedKinds == [.progress])
        #expect(try peer.created(.sleep) == ["s1": 1, "s2": 1, "s3": 1])
        #expect(try peer.violations() == 0)
    }

    @Test("If nothing listens, the run ends at its deadline and everything stays queued")
    func nobody() async throws {
        try await enqueueSteps(days: 3, for: "http://127.0.0.1:1")
        let report = try await deliver(to: "http://127.0.0.1:1", seconds: 1)
        #expect(report.left == 3)
        #expect(report.failure?.code == .deliveryIncomplete)
        #expect(try await outbox.counts(destination: nil) == [.pending: 3])
    }
}
