import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit

/// An engine over stores in memory, with handlers that record their calls.
struct EngineBench {
    static let person = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static let began = Fact.day(50).utcStart
    let time = ManualTime(Self.began)
    /// The time of an import outside of a run: long after all samples of the tests.
    let importTime = ManualTime(Fact.day(1_000).utcStart)
    let stores: InMemoryStores
    let hold = InMemoryPause()
    var handlers: [any HealthMetricSyncHandler] = []
    var furtherHandlers: [any HealthMetricSyncHandler] = []
    var handlerSettings: [HealthMetric: HandlerSettings] = [:]
    var clock = DayClock(home: .utc)
    var priority = OriginPriority()
    var keptTypes: [SampleTypeDefinition] = []
    var keepsAllTypes = false
    var destination: String?
    /// Replaces the tracking store in memory.
    var tracking: (any SyncTrackingStore)?
    /// Replaces the run store in memory.
    var runs: (any RunStore)?

    init(_ handlers: any HealthMetricSyncHandler...) {
        stores = InMemoryStores(time: time)
        self.handlers = handlers
    }

    var engine: SyncEngine { SyncEngine(ports: ports, settings: settings) }

    var ports: EnginePorts {
        let silence = SilentLog()
        let server = destination.map {
            PlainEncoder.destination($0, sender: DeliveryServer(time: time))
        }
        return EnginePorts(
            pages: stores.pages, tracking: tracking ?? stores.tracking, repository: stores.repository,
            outbox: stores.outbox, shoes: stores.shoes, intervals: stores.intervals, runs: runs ?? stores.runs,
            runWatch: stores.runWatch, verifications: stores.verifications, hold: hold, server: server,
            hasher: PlainHasher(), time: time, random: FixedChance(value: 0.5), log: silence, progress: silence)
    }

    var settings: EngineSettings {
        var settings = EngineSettings(
            clock: clock, originPriority: priority, handlers: handlers, keptTypes: keptTypes,
            keepsAllTypes: keepsAllTypes)
        settings.furtherHandlers = furtherHandlers
        settings.handlerSettings = handlerSettings
        return settings
    }

    /// Imports sources without deriving anything.
    @discardableResult
    func importSources(
        _ sources: MemorySource..., types: [SampleTypeDefinition] = [.stepCount], all: Bool = false,
        allowDeletions: Bool = false, force: Bool = false
    ) async throws -> [ImportReport] {
        try await importSources(sources, types: types, all: all, allowDeletions: allowDeletions, force: force)
    }

    @discardableResult
    func importSources(
        _ sources: [MemorySource], types: [SampleTypeDefinition] = [.stepCount], all: Bool = false,
        allowDeletions: Bool = false, force: Bool = false
    ) async throws -> [ImportReport] {
        try await SourceImport(
            store: stores.pages, hasher: PlainHasher(), time: importTime, clock: clock, progress: SilentLog(),
            log: SilentLog()
        ).importSources(
            sources, selection: SampleSelection(types: types, includesOtherTypes: all),
            allowDeletions: allowDeletions, force: force)
    }

    /// Runs a historical sync over all or some days; nothing is sent.
    @discardableResult
    func historical(
        _ sources: MemorySource..., days: DayRange? = nil, force: Bool = false
    ) async throws -> RunReport {
        try await run(
            .historical(from: days?.first, to: days?.last), sources, allowDeletions: true, force: force)
    }

    /// Executes a whole run; nothing is sent.
    @discardableResult
    func run(_ coverage: RunScope, _ sources: MemorySource...) async throws -> RunReport {
        try await run(coverage, sources, allowDeletions: false, force: false)
    }

    private func run(
        _ coverage: RunScope, _ sources: [MemorySource], allowDeletions: Bool, force: Bool
    ) async throws -> RunReport {
        var options = Sync.Options()
        options.userProfileID = Self.person
        options.pushes = false
        options.allowDeletions = allowDeletions
        options.force = force
        return try await engine.sync.run(coverage, sources: sources, options: options)
    }

    /// Derives days without importing anything.
    @discardableResult
    func derive(_ days: DayRange, force: Bool = false) async throws -> SyncReport {
        try await HealthDataSyncOrchestrator(ports: ports, settings: settings).run(
            SyncRequest(scope: .historical, days: days, userProfileID: Self.person, force: force))
    }

    /// Returns all stored samples, in order.
    func kept(_ types: [SampleTypeDefinition] = [.stepCount]) async throws -> [Fact] {
        let pages = try await stores.pages.pages(of: types.map(\.type), utcDays: Fact.days(-400, 400))
        return try pages.flatMap { page in
            let columns = try SamplePageCodec.decode(page.bytes)
            let type = types.first { $0.type == page.key.type } ?? .stepCount
            return (0..<columns.count).map { index in
                Fact(
                    type: type, origin: page.key.origin,
                    minute: Int((columns.starts[index] - Fact.firstDay.utcStart.milliseconds) / 60_000),
                    minutes: Int(columns.durations[index] / 60_000), value: columns.values[index])
            }
        }.sorted()
    }

    /// Returns the items in the outbox, oldest first, as `id@change`; tombstones with a minus.
    func queued(_ destination: String? = nil) async throws -> [String] {
        try await stores.outbox.items(in: .pending, destination: destination ?? self.destination, limit: 10_000)
            .map { item in
                let key = item.content.dedupKey
                guard let at = key.lastIndex(of: "@"), let revision = Int(key[key.index(after: at)...]) else {
                    return key
                }
                return (item.content.isTombstone ? "-" : "") + key[...at] + "\(Self.change(revision))"
            }
    }

    /// Returns the ordinal of a revision while the clock stands still: 1 for the first, then 2.
    static func change(_ revision: Int) -> Int {
        let first = Int(began.milliseconds)
        return revision < first ? revision : revision - first + 1
    }

    /// Returns the daily sums, each with the ordinal of its revision.
    func sums(_ metric: HealthMetric = .steps) async throws -> [CalendarDay: [Double]] {
        let records = try await stores.tracking.progress(derivedBy: metric, days: Fact.days(-400, 400))
        return Dictionary(
            records.map { ($0.record.day, [$0.record.figures.quantity, Double(Self.change($0.revision))]) },
            uniquingKeysWith: { first, _ in first })
    }
}
