import HealthSyncDomain
import HealthSyncPorts

/// What one handler is given in one run: finds the days that changed, reads their samples, stores what follows.
struct DerivationContext: MetricSyncContext {
    let request: SyncRequest
    let ports: EnginePorts
    let settings: EngineSettings
    let zoneClocks: ZoneClocks
    let refusals: RefusalTally
    /// What is complete; `nil` where that is not asked.
    let parts: CompleteParts?

    var days: DayRange { request.days }
    var clock: DayClock { settings.clock }
    var originPriority: OriginPriority { settings.originPriority }

    func clock(forZone name: String?) -> DayClock { zoneClocks.clock(forZone: name) }

    func deriveChangedDays(
        of metric: HealthMetric, version: Int, reading types: [SampleType], reach: SampleReach,
        _ derive: @escaping @Sendable (DayRange, SampleWindow) throws -> DerivedDays
    ) async throws -> SyncOutcome {
        let changes = ChangedDays(
            ports: ports, settings: settings, metric: metric, version: version, types: types, reach: reach)
        if !request.force, try await parts?.isComplete(.metric(metric), by: changes.rules) ?? false {
            ports.log.note("\(metric): nothing changed", isDetail: true)
            return .nothingNew
        }
        let found = try await changes.find(in: days, all: request.force)
        ports.log.note(
            "\(metric): \(found.days.count) of \(days.count) days "
                + (request.force ? "are forced" : "follow from what changed"), isDetail: true)
        let records = try await store(found, of: metric, from: changes.window, by: derive)
        parts?.note(.metric(metric), by: changes.rules)
        return found.days.isEmpty ? .nothingNew : .synced(days: found.days.count, records: records)
    }

    /// Derives and stores days, a stretch after the other; returns how many records changed.
    private func store(
        _ found: ChangedDays.Found, of metric: HealthMetric, from window: WindowLoader,
        by derive: @Sendable (DayRange, SampleWindow) throws -> DerivedDays
    ) async throws -> Int {
        let recorder = DerivedDaysRecorder(metric: metric, request: request, ports: ports)
        var digests = found.current
        var records = 0
        for (index, run) in DayRange.runs(of: found.days, atMost: Self.daysPerTransaction).enumerated() {
            try Task.checkCancellation()
            let samples = try await window.load(run)
            let nights = window.nightsOfLongChains(in: samples, among: run)
            let content = nights.isEmpty ? [] : window.content(of: samples)
            for night in nights {
                // What its digest does not contain may change it: it is never taken for unchanged.
                digests[night] = digests[night].map { ports.hasher.digest($0.bytes + content) }
            }
            let derived = try derive(run, samples)
            refusals.add(derived.refused, of: metric)
            try await zoneClocks.storeRules(in: ports)
            records += try await recorder.store(derived, of: run, digests: digests)
            ports.progress.report(
                phase: "deriving \(metric)", done: Int64((index + 1) * Self.daysPerTransaction),
                total: Int64(found.days.count))
        }
        return records
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
