package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Runs the handlers concurrently, one child task each, after those whose results they read. A handler that fails or is
/// cancelled stops only those that read its results; each has its own outcome.
package struct HealthDataSyncOrchestrator: Sendable {
    private let ports: EnginePorts
    private let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Derives the days of `request` with every handler, then the activity snapshots of those days.
    ///
    /// Parts that `parts` lists as complete are skipped. Parts that this run completes are added to it.
    ///
    /// - Throws: `SyncFailure` with `.noUserProfileID` if the request has no user profile id, with `.configuration` if
    ///   handlers read each other's results, and `CancellationError` if the calling task was cancelled. Everything committed until then is kept.
    package func run(_ request: SyncRequest) async throws -> SyncReport {
        try await run(request, completing: nil)
    }

    func run(_ request: SyncRequest, completing parts: CompleteParts?) async throws -> SyncReport {
        guard request.userProfileID != nil else {
            throw SyncFailure(
                .noUserProfileID, subject: "", reason: "the request has no user profile id",
                advice: "set userProfileID; the command line creates one at the first run")
        }
        let context = DerivationContext(
            request: request, ports: ports, settings: settings,
            zoneClocks: ZoneClocks(ports.time), skipped: SkippedTally(),
            parts: parts)
        var report = SyncReport()
        ports.progress.report(phase: "deriving", done: 0, total: Int64(settings.handlers.count))
        for stage in try HandlerStages(settings.handlers).stages {
            let known = report.outcomes
            await withTaskGroup(of: (HealthMetric, SyncOutcome).self) { group in
                for handler in stage {
                    group.addTask {
                        let failed = failure(ofInputsOf: handler, among: known)
                        let outcome =
                            if let failed { SyncOutcome.failed(failed) } else {
                                await Self.outcome(of: handler, in: context)
                            }
                        return (handler.metric, outcome)
                    }
                }
                for await (metric, outcome) in group {
                    report.outcomes[metric] = outcome
                    ports.progress.report(
                        phase: "deriving", done: Int64(report.outcomes.count), total: Int64(settings.handlers.count))
                }
            }
        }
        report.skipped = context.skipped.counts
        try Task.checkCancellation()
        report.snapshots = try await SnapshotUpdate(ports: ports, request: request, parts: parts).run()
        return report
    }

    /// Returns why a handler cannot be derived now: a metric that it reads failed. `nil` if it can.
    private func failure(
        ofInputsOf handler: any HealthMetricSyncHandler, among outcomes: [HealthMetric: SyncOutcome]
    ) -> SyncFailure? {
        for input in handler.inputs {
            let author = settings.handlers.first { $0.derives(input) }?.metric ?? input
            guard case .failed(let failure) = outcomes[author] else { continue }
            return SyncFailure(
                failure.code, subject: handler.metric.rawValue,
                reason: "it reads \(input), which failed: \(failure.reason)", advice: failure.advice)
        }
        return nil
    }

    private static func outcome(
        of handler: any HealthMetricSyncHandler, in context: DerivationContext
    ) async -> SyncOutcome {
        do {
            return switch context.request.scope {
            case .daily: try await handler.syncDaily(in: context)
            case .historical: try await handler.syncHistorical(in: context)
            }
        } catch let failure as SyncFailure {
            return .failed(failure)
        } catch is CancellationError {
            return .failed(
                SyncFailure(
                    .cancelled, subject: handler.metric.rawValue, reason: "cancelled before it was complete",
                    advice: "run the command again to continue"))
        } catch {
            return .failed(
                SyncFailure(
                    .unexpected, subject: handler.metric.rawValue, reason: FailureText.of(error),
                    advice: "report this to the author of the handler"))
        }
    }
}

/// The context of a run: finds the days that changed, reads their samples, and stores the derived results.
private struct DerivationContext: MetricSyncContext {
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
        if !request.force, try await changes.isComplete(among: parts) {
            ports.log.note("\(metric): nothing changed", level: .debug)
            return .nothingNew
        }
        let found = try await changes.find(in: days, all: request.force)
        ports.log.note(
            "\(metric): \(found.days.count) of \(days.count) days "
                + (request.force ? "are forced" : "follow from what changed"), level: .debug)
        let records = try await store(found, of: handler, from: changes.window)
        changes.note(in: parts)
        return found.days.isEmpty ? .nothingNew : .synced(days: found.days.count, records: records)
    }

    /// Returns the stored results of other metrics.
    private func results(of inputs: [HealthMetric], on days: DayRange) async throws -> DerivedDays {
        var results = DerivedDays()
        for input in Set(inputs).sorted() where input != .sleep {
            results.progress += try await ports.repository.progress(of: input, days: days)
        }
        if inputs.contains(.sleep) { results.sleepSessions = try await ports.repository.sleep(days: days) }
        return results
    }

    /// Derives the found days, one run of consecutive days after another, and stores about `DerivationBatch.days` of them,
    /// however far apart, in one transaction. Returns the number of changed records.
    private func store(
        _ found: ChangedDays.Found, of handler: any HealthMetricSyncHandler, from window: WindowLoader
    ) async throws -> Int {
        let (metric, rules) = (handler.metric, rules.with(settings.values(of: handler)))
        let recorder = DerivedDaysRecorder(metric: metric, request: request, ports: ports)
        var digests = found.current
        var derived = DerivedDays()
        var (done, records) = (0, 0)
        var days: [CalendarDay] = []
        let batches = DerivationBatch.ranges(of: found.days)
        for (index, batch) in batches.enumerated() {
            try Task.checkCancellation()
            let samples = try await window.load(batch.range)
            let results = try await results(of: handler.inputs, on: batch.range)
            for run in DayRange.runs(of: batch.days, atMost: DerivationBatch.days) {
                let nights = window.nightsOfLongChains(in: samples, among: run)
                let content = nights.isEmpty ? [] : window.content(of: samples)
                for night in nights {
                    // Samples that its digest does not contain may change it, so it must never count as unchanged.
                    digests[night] = digests[night].map { ports.hasher.digest($0.bytes + content) }
                }
                derived.append(try handler.derive(run, from: samples.with(results.part(on: run)), by: rules))
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
    /// Returns the results of `days`.
    fileprivate func part(on days: DayRange) -> DerivedDays {
        DerivedDays(
            progress: progress.filter { days.contains($0.day) },
            sleepSessions: sleepSessions.filter { days.contains($0.day) })
    }

    /// Adds the results of other days.
    fileprivate mutating func append(_ other: DerivedDays) {
        progress += other.progress
        sleepSessions += other.sleepSessions
        skipped.merge(other.skipped, uniquingKeysWith: +)
    }
}

/// Counts the samples that handlers skipped, by metric and reason.
private final class SkippedTally: Sendable {
    private let tally = Mutex<[HealthMetric: [String: Int]]>([:])

    var counts: [HealthMetric: [String: Int]] { tally.withLock { $0 } }

    func add(_ skipped: [String: Int], of metric: HealthMetric) {
        guard !skipped.isEmpty else { return }
        tally.withLock { $0[metric, default: [:]].merge(skipped, uniquingKeysWith: +) }
    }
}
