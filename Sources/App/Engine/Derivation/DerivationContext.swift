import HealthSyncDomain
import HealthSyncPorts

/// What one handler is given in one run: finds the days that changed, reads their samples, stores what follows.
struct DerivationContext: MetricSyncContext {
    let request: SyncRequest
    let ports: EnginePorts
    let settings: EngineSettings
    let zoneClocks: ZoneClocks
    let refusals: RefusalTally

    var days: DayRange { request.days }
    var clock: DayClock { settings.clock }
    var originPriority: OriginPriority { settings.originPriority }

    func clock(forZone name: String?) -> DayClock { zoneClocks.clock(forZone: name) }

    func deriveChangedDays(
        of metric: HealthMetric, version: Int, reading types: [SampleType], reach: SampleReach,
        _ derive: @escaping @Sendable (DayRange, SampleWindow) throws -> DerivedDays
    ) async throws -> SyncOutcome {
        let window = WindowLoader(pages: ports.pages, clock: clock, types: types, reach: reach)
        let digests = DayDigests(
            metric: metric, version: version, clock: clock, priority: originPriority, reach: reach,
            hasher: ports.hasher)
        let margin = try await window.marginDays()
        let utcDays = days.widened(before: margin.before, after: margin.after)
        let pageDigests = try await ports.pages.pageDigests(of: types, utcDays: utcDays)
        let current = digests.digests(of: days, pages: pageDigests, margin: margin)
        let tracked = try await ports.tracking.trackedDigests(of: metric, days: days)
        let changed = days.filter { request.force ? current[$0] ?? tracked[$0] != nil : current[$0] != tracked[$0] }
        ports.log.note(
            "\(metric): \(changed.count) of \(days.count) days \(request.force ? "are forced" : "follow from what changed")",
            isDetail: true)
        guard !changed.isEmpty else { return .nothingNew }

        let recorder = DerivedDaysRecorder(metric: metric, request: request, ports: ports)
        var records = 0
        for (index, run) in DayRange.runs(of: changed, atMost: Self.daysPerTransaction).enumerated() {
            try Task.checkCancellation()
            let samples = try await window.load(run)
            let derived = try derive(run, samples)
            refusals.add(derived.refused, of: metric)
            try await zoneClocks.storeRules(in: ports)
            records += try await recorder.store(derived, of: run, digests: current)
            ports.progress.report(
                phase: "deriving \(metric)", done: Int64((index + 1) * Self.daysPerTransaction),
                total: Int64(changed.count))
        }
        return .synced(days: changed.count, records: records)
    }

    // Enough days that a transaction's sync is nothing beside its work, few enough that an interrupted run loses little.
    private static let daysPerTransaction = 366
}

/// Clocks of zones that samples state, made once for each name.
struct ZoneClocks: Sendable {
    private let person: DayClock
    private let known: ZoneClockTable

    init(person: DayClock, time: any TimeSource) {
        self.person = person
        known = ZoneClockTable(time)
    }

    func clock(forZone name: String?) -> DayClock {
        guard let name else { return person }
        return known.clock(forZone: name) ?? person
    }

    /// Stores the rules of the zones that were asked for, before days that follow from them are stored.
    func storeRules(in ports: EnginePorts) async throws {
        let rules = known.unstored
        guard !rules.isEmpty else { return }
        try await ports.tracking.setZoneRules(rules.mapValues { ports.hasher.digest($0.canonicalText) })
        known.noteStored(rules.keys)
    }
}
