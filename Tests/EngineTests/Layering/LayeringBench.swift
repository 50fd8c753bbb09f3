import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit

/// An engine that sends raw steps to a server in memory.
struct LayeringBench {
    static let destination = "https://example.org"

    let time = ManualTime(Fact.day(20).utcStart)
    let stores: InMemoryStores
    let hold = InMemoryPause()
    var server = SampleServer()
    /// Wraps `server` if it must answer requests for its contents.
    var comparing: ComparedServer?
    var destination = Self.destination
    var limits = LayeringLimits()

    init() {
        stores = InMemoryStores(time: time)
        limits.steps = 1_000
    }

    var engine: SyncEngine {
        let silence = SilentLog()
        return SyncEngine(
            ports: EnginePorts(
                pages: stores.pages, tracking: stores.tracking, repository: stores.repository, outbox: stores.outbox,
                shoes: stores.shoes, intervals: stores.intervals, runs: stores.runs,
                runWatch: stores.runWatch, verifications: stores.verifications, hold: hold,
                server: PlainEncoder.destination(
                    destination, sender: comparing ?? server, reader: comparing?.reader),
                hasher: PlainHasher(),
                time: time, random: FixedChance(value: 0.5), log: silence, progress: silence),
            settings: EngineSettings(
                clock: DayClock(home: .utc), originPriority: OriginPriority(), handlers: [], keptTypes: [.stepCount],
                rawTypes: [.stepCount], layering: limits))
    }

    @discardableResult
    func sync(
        _ sources: MemorySource..., days: DayRange = Fact.days(-30, 40), force: Bool = false, pushes: Bool = true
    ) async throws -> RunReport {
        var options = Sync.Options()
        options.userProfileID = EngineBench.person
        options.allowDeletions = true
        options.force = force
        options.pushes = pushes
        options.deadlineSeconds = 3_600
        return try await engine.sync.run(
            .historical(from: days.first, to: days.last), sources: sources, options: options)
    }

    /// Returns the ids of the facts, computed by the hasher.
    static func ids(_ facts: [Fact]) -> Set<SampleID> {
        Set(
            facts.map { fact in
                PlainHasher().sampleID(
                    type: fact.type.type,
                    interval: InstantRange(
                        start: fact.start, end: fact.start.advanced(bySeconds: Int64(fact.minutes) * 60)),
                    value: fact.value, unit: fact.type.unit, origin: fact.origin)
            })
    }

    func states() async throws -> [IntervalState] {
        try await stores.intervals.statuses(of: SampleTypeDefinition.stepCount.type, destination: destination)
            .map(\.state)
    }

    func isAllSynced() async throws -> Bool { try await states().allSatisfy { $0 == .synced } }
}
