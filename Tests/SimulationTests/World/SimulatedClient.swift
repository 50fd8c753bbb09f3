import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncMetrics
@testable import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem
import HealthSyncTestKit
import Synchronization

/// Random numbers of the engine, from a seed.
final class SimulatedChance: RandomSource {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func fraction() -> Double { random.withLock { Double.random(in: 0..<1, using: &$0) } }

    func bytes(_ count: Int) -> [UInt8] {
        random.withLock { random in (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
    }
}

/// The engine over its database.
final class SimulatedClient {
    /// What every run needs.
    struct Surroundings: Sendable {
        var time: ManualTime
        var chance: SimulatedChance
        var network: SimulatedNetwork
    }

    private static let user = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let always = DayRange(CalendarDay(ordinal: 18_000)).widened(before: 0, after: 4_000)

    let surroundings: Surroundings
    private let files: DatabaseFiles
    private(set) var path: String
    private var database: SQLiteDatabase

    init(in folder: String, surroundings: Surroundings) async throws {
        let files = DatabaseFiles(folder: folder, name: "client")
        let path = files.next()
        self.surroundings = surroundings
        self.files = files
        self.path = path
        database = try await Self.open(path, surroundings)
    }

    private static func open(_ path: String, _ surroundings: Surroundings) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(at: path, time: surroundings.time, hasher: LibcryptoHasher())
    }

    /// Opens the files as a killed process leaves them.
    func reopen() async throws { try await open(copyOf: path) }

    /// Returns a copy of the database, for `open(copyOf:)`.
    func backup() throws -> String { try files.copy(path) }

    func open(copyOf path: String) async throws {
        let copy = try files.copy(path)
        try await database.close()
        self.path = copy
        database = try await Self.open(copy, surroundings)
    }

    func close() async throws { try await database.close() }

    private func engine(zones: DayClock, fuse: Fuse? = nil) throws -> SyncEngine {
        try Self.engine(database, surroundings, zones: zones, fuse: fuse)
    }

    private static func engine(
        _ database: SQLiteDatabase, _ surroundings: Surroundings, zones: DayClock, fuse: Fuse?
    ) throws -> SyncEngine {
        var settings = try HTTPOutboxSettings(
            address: ServerAddress(SimulatedNetwork.address), token: nil, profile: UUIDText.text(user))
        settings.exchange = surroundings.network
        let fuse = fuse ?? Fuse(fatal: .max, afterCommit: false)
        let ports = EnginePorts(
            pages: DyingPages(database.pages, fuse: fuse), tracking: DyingTracking(database.tracking, fuse: fuse),
            repository: database.repository, outbox: DyingOutbox(database.outbox, fuse: fuse), shoes: database.shoes,
            intervals: DyingIntervals(database.intervals, fuse: fuse), runs: database.runs,
            runWatch: InMemoryRunWatch(), verifications: database.verifications, hold: InMemoryPause(),
            server: HTTPDestinationFormat.destination(settings, time: surroundings.time), hasher: LibcryptoHasher(),
            time: surroundings.time, random: surroundings.chance, log: Silence(), progress: Silence())
        let metrics: Set<HealthMetric> = [.steps, .activeEnergy, .sleep]
        var engine = EngineSettings(
            clock: zones, originPriority: OriginPriority(),
            handlers: BuiltInHandlers.all().filter { metrics.contains($0.metric) }, rawTypes: [.stepCount])
        engine.delivery.concurrency = 1
        engine.layering.steps = 5_000
        return SyncEngine(ports: ports, settings: engine)
    }

    /// Imports documents, derives and delivers. Returns whether the run was complete, which it is unless the process died, the
    /// disk failed, or it would count only some days by another zone. Throws if a failure of the disk is not reported.
    func sync(
        _ documents: [Document], _ scope: RunScope, zones: DayClock, fuse: Fuse? = nil
    ) async throws -> Bool {
        var options = Sync.Options()
        options.userProfileID = Self.user
        options.followsPosts = true
        options.deadlineSeconds = 1_800
        do {
            let report = try await engine(zones: zones, fuse: fuse).sync.run(
                scope, sources: documents.map { DocumentSource(document: $0) }, options: options)
            if fuse?.isBlown ?? false { return false }
            if let failure = report.sync.failures.first?.failure { throw failure }
            if fuse?.hasFailed ?? false { throw Self.silence }
            return true
        } catch  where fuse?.isBlown ?? false {
            return false
        } catch let failure as SyncFailure where failure.code == .storage && fuse?.hasFailed ?? false {
            return false
        } catch let failure as SyncFailure where failure.code == .configuration && scope != .historical() {
            return false
        }
    }

    func push(zones: DayClock, fuse: Fuse? = nil, seconds: Int64 = 1_800) async throws {
        do {
            _ = try await engine(zones: zones, fuse: fuse).push.run(deadlineSeconds: seconds, resuming: true)
            if !(fuse?.isBlown ?? false), fuse?.hasFailed ?? false { throw Self.silence }
        } catch  where fuse?.isBlown ?? false {
        } catch let failure as SyncFailure where failure.code == .storage && fuse?.hasFailed ?? false {}
    }

    private static let silence = SyncFailure(
        .unexpected, subject: "the run", reason: "does not report that the disk failed", advice: "")

    /// Returns a push by another process, which opens the same file.
    func secondPush(zones: DayClock) -> @Sendable () async -> Void {
        let (path, surroundings) = (path, surroundings)
        return {
            guard let database = try? await Self.open(path, surroundings) else { return }
            let engine = try? Self.engine(database, surroundings, zones: zones, fuse: nil)
            _ = try? await engine?.push.run(deadlineSeconds: 60, resuming: true)
            try? await database.close()
        }
    }

    /// Makes the server equal to the local store; returns what is still different.
    func repair(zones: DayClock) async throws -> [String] {
        let report = try await engine(zones: zones).repair.run(
            types: [.stepCount], records: true, days: nil, allowDeletions: true, deadlineSeconds: 86_400)
        guard let report else { return ["repair: no server"] }
        return report.left.isEqual ? [] : ["repair: local store and server still differ"]
    }

    /// Returns items that are not delivered, and the reason of a pause by the server.
    func undelivered() async throws -> [String] {
        let state = try await database.outbox.destinationState(SimulatedNetwork.address)
        return try await database.outbox.counts(destination: nil).filter { $0.key != .delivered && $0.value > 0 }
            .map { "outbox: \($0.value) items are \($0.key)" }.sorted()
            + (state.pausedReason.map { ["outbox: paused, \($0)"] } ?? [])
    }

    func content() async throws -> Content {
        var content = Content()
        for day in try await database.repository.progress(of: nil, days: Self.always) {
            let figures = [day.figures] + day.hours.map(\.figures)
            for (id, figures) in zip(day.entryIDs, figures) { content.figures[id] = figures.quantity }
        }
        for snapshot in try await database.repository.activitySnapshots(days: Self.always) {
            content.snapshots["snapshot/\(snapshot.day)"] = [
                snapshot.steps, snapshot.activeEnergyKilocalories, snapshot.minutesAsleep,
            ]
        }
        for session in try await database.repository.sleep(days: Self.always) {
            let text = Content.session(
                session.origin.sourceName, session.interval.start.seconds, session.interval.end.seconds,
                minutes: Double(session.durations.asleep) / 60_000)
            content.sessions.append(text)
            content.nights[text] = "\(session.role) of \(session.day)"
        }
        return content
    }
}
