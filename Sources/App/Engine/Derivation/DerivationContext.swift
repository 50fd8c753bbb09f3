import HealthSyncDomain
import HealthSyncPorts

/// The context of a run: finds the days that changed, reads their samples, and stores the derived results.
struct DerivationContext: MetricSyncContext {
    let request: SyncRequest
    let ports: EnginePorts
    let settings: EngineSettings
    let zoneClocks: ZoneClocks
    let skipped: SkippedTally
    /// The parts that are known to be complete; `nil` to look at all.
    let parts: CompleteParts?

    var days: DayRange { request.days }
    var rules: DerivationRules { zoneClocks.rules(settings) }

    func deriveChangedDays(of handler: any HealthMetricSyncHandler) async throws -> SyncOutcome {
        let metric = handler.metric
        let changes = ChangedDays(ports: ports, settings: settings, handler: handler)
        if !request.force, try await parts?.isComplete(.metric(metric), by: changes.rules) ?? false {
            ports.log.note("\(metric): nothing changed", level: .debug)
            return .nothingNew
        }
        let found = try await changes.find(in: days, all: request.force)
        ports.log.note(
            "\(metric): \(found.days.count) of \(days.count) days "
                + (request.force ? "are forced" : "follow from what changed"), level: .debug)
        let records = try await store(found, of: handler, from: changes.window)
        parts?.note(.metric(metric), by: changes.rules)
        return found.days.isEmpty ? .nothingNew : .synced(days: found.days.count, records: records)
    }

    /// Derives the found days, one run of consecutive days after another, and stores about `DerivationBatch.days` of them,
    /// however far apart, in one transaction. Returns the number of changed records.
    private func store(
        _ found: ChangedDays.Found, of handler: any HealthMetricSyncHandler, from window: WindowLoader
    ) async throws -> Int {
        let (metric, rules) = (handler.metric, rules)
        let recorder = DerivedDaysRecorder(metric: metric, request: request, ports: ports)
        var digests = found.current
        var derived = DerivedDays()
        var (done, records) = (0, 0)
        var days: [CalendarDay] = []
        let batches = DerivationBatch.ranges(of: found.days)
        for (index, batch) in batches.enumerated() {
            try Task.checkCancellation()
            let samples = try await window.load(batch.range)
            for run in DayRange.runs(of: batch.days, atMost: DerivationBatch.days) {
                let nights = window.nightsOfLongChains(in: samples, among: run)
                let content = nights.isEmpty ? [] : window.content(of: samples)
                for night in nights {
                    // Samples that its digest does not contain may change it, so it must never count as unchanged.
                    digests[night] = digests[night].map { ports.hasher.digest($0.bytes + content) }
                }
                derived.append(try handler.derive(run, from: samples, by: rules))
            }
            days += batch.days
            guard index == batches.count - 1 || days.count >= DerivationBatch.days else { continue }
            skipped.add(derived.skipped, of: metric)
            try await zoneClocks.storeRules(in: ports)
            records += try await recorder.store(derived, of: days, digests: digests)
            done += days.count
            ports.progress.report(phase: "deriving \(metric)", done: Int64(done), total: Int64(found.days.count))
            (derived, days) = (DerivedDays(), [])
        }
        return records
    }
}

extension DerivedDays {
    /// Adds the results of other days.
    fileprivate mutating func append(_ other: DerivedDays) {
        progress += other.progress
        sleepSessions += other.sleepSessions
        skipped.merge(other.skipped, uniquingKeysWith: +)
    }
}
