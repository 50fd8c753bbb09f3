package import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Imports sources, derives days and delivers what changed.
package struct Sync: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Options of a run.
    package struct Options: Sendable, Hashable {
        /// Read, derive and send again even if nothing changed.
        package var force = false
        /// Import a snapshot that deletes more than a fifth of the stored samples.
        package var allowDeletions = false
        /// The user profile of the data.
        package var userProfileID: UUID?
        /// Whether posts of phones were imported before, so that a run without a source is no problem.
        package var followsPosts = false
        /// Whether queued items are sent to the server, if one is configured.
        package var pushes = true
        /// Seconds after which no new request begins; `nil` for no limit.
        package var deadlineSeconds: Int64?
        /// The command under which the run is recorded; that of its scope for `nil`.
        package var command: RunCommand?

        package init() {}
    }

    /// Imports `sources` and derives the days of `scope`.
    ///
    /// A source that cannot be read at all throws before anything is derived. A truncated source is imported up to
    /// its end, which its report states. `beforeDeriving` is called once everything was imported and no day is derived yet.
    package func run(
        _ scope: RunScope, sources: [any HealthDataSource], options: Options,
        beforeDeriving: () async throws -> Void = {}
    ) async throws -> RunReport {
        let days = RunDays(scope, settings: settings, now: ports.time.now())
        return try await RunRecorder(ports: ports).run(options.command ?? scope.command, days: days.stated) { report in
            if sources.isEmpty, !options.followsPosts {
                report.isWithoutInput = try await knownDays() == nil
                if report.isWithoutInput || scope.kind == .daily {
                    report.problems.append(
                        SyncFailure(
                            .noInput, subject: "sources", reason: "no source was given, so nothing was imported",
                            advice: "name a file with --source, or configure \"sources\""))
                }
            }
            try await sync(days, sources: sources, options: options, into: &report, beforeDeriving)
        }
    }

    private func sync(
        _ scoped: RunDays, sources: [any HealthDataSource], options: Options, into report: inout RunReport,
        _ beforeDeriving: () async throws -> Void
    ) async throws {
        let plan = try await DayCounting(ports: ports, settings: settings, days: scoped.recountable).plan()
        try await importSources(sources, for: scoped.scope, options: options, into: &report)
        try await beforeDeriving()
        // What was imported decides which metrics there are.
        try await Sync(ports: ports, settings: settings.active(in: ports))
            .derive(scoped, plan, options: options, into: &report)
    }

    private func derive(
        _ scoped: RunDays, _ plan: DayCounting.Plan, options: Options, into report: inout RunReport
    ) async throws {
        let counting = DayCounting(ports: ports, settings: settings, days: scoped.recountable)
        let known = try await knownDays()
        guard let days = scoped.covered(of: known, all: plan.coversAllDays) else {
            return try await deliver(options, into: &report)
        }
        report.days = days
        let omitted = try await omittedRecords()
        let parts = CompleteParts(ports: ports, clock: settings.clock, known: known ?? days, days: days)
        let request = SyncRequest(
            scope: scoped.scope.kind, days: days, userProfileID: options.userProfileID, force: options.force)
        if options.force { try await forgetDelivered(request, parts) }
        try await offerSelectedMetrics()
        try await counting.begin(plan)
        report.sync = try await HealthDataSyncOrchestrator(ports: ports, settings: counting.settings(for: plan))
            .run(request, completing: parts)
        try await counting.finish(plan, after: report.sync)
        let shoes = Shoes(ports: ports, settings: settings)
        if case .daily(let lookBackDays) = scoped.scope {
            report.shoes = try await shoes.check(lookBackDays: lookBackDays)
        }
        try await shoes.cacheAttributedDays(of: try await ports.shoes.sessions())
        if let server = ports.server { try await offer(days, to: server, force: options.force, parts) }
        report.omitted = try await omittedRecords().flatMap { $0.count > omitted?.count ?? 0 ? $0 : nil }
        try await parts.store()
        if parts.coversAll, report.sync.failures.isEmpty {
            report.historyChange = try await ports.tracking.concludeHistoryChange(at: ports.time.now())
        } else {
            report.outOfDate = try await OutOfDateCheck(ports: ports, settings: settings).run(among: known ?? days)
        }
        report.layering = try await LayeringUpdate(ports: ports, settings: settings).run(days, force: options.force)
        try await deliver(options, into: &report)
    }

    private func importSources(
        _ sources: [any HealthDataSource], for scope: RunScope, options: Options, into report: inout RunReport
    ) async throws {
        var stated: StatedStays?
        let zones = ZoneCheck(ports: ports, settings: settings)
        report.imports = try await SourceImport(
            store: ports.pages, hasher: ports.hasher, time: ports.time, clock: settings.clock,
            progress: ports.progress, log: ports.log
        ).importSources(
            sources, selection: settings.selection, allowDeletions: options.allowDeletions, force: options.force,
            check: { evidence, stays in
                stated = stays
                try await zones.requireMatchingZone(of: evidence, stays)
            })
        try await zones.remember(report.imports)
        report.zoneNotice = try await zones.notice()
        // A daily run would say so every day to a user who does not want them.
        if report.zoneNotice == nil, scope.kind == .historical { report.zoneNotice = stated.flatMap(zones.notice) }
    }

    private func forgetDelivered(_ request: SyncRequest, _ parts: CompleteParts) async throws {
        if let server = ports.server {
            try await ports.outbox.forgetDelivered(destination: server.address, days: request.days)
        }
        // Before records are written, so that a record that exists again supersedes its deletion.
        if request.scope == .historical || parts.coversAll {
            try await ports.tracking.renewTombstones(revision: RevisionClock(ports.time).next())
        }
    }

    /// Offers the metrics that the user selected, or had before, on all days. Further ones of the default are offered to a
    /// former server from the upgrade on (decision 58).
    private func offerSelectedMetrics() async throws {
        guard let server = ports.server,
            let former = try await ports.outbox.formerDelivery(of: server.address)
        else { return }
        let selected = Set(settings.selectedHandlers.flatMap { [$0.metric] + $0.results.map(\.metric) })
        if !selected.isSubset(of: former.metrics) { try await ports.outbox.offer(selected, to: server.address) }
    }

    private func omittedRecords() async throws -> OmittedRecords? {
        guard let server = ports.server else { return nil }
        return try await ports.outbox.omittedRecords(destination: server.address)
    }

    /// Enqueues the records of `days` that were never offered to the server.
    private func offer(
        _ days: DayRange, to server: HealthDestination, force: Bool, _ parts: CompleteParts
    ) async throws {
        let part = CompletePart.server(server.address)
        if try await parts.isComplete(part, by: ""), !force { return }
        _ = try await OutboxBackfill(store: ports.outbox, destination: server).run(days: days)
        parts.note(part, by: "")
    }

    private func deliver(_ options: Options, into report: inout RunReport) async throws {
        guard options.pushes else { return }
        report.delivery = try await DeliveryStep(ports: ports, settings: settings).run(
            deadlineSeconds: options.deadlineSeconds)
    }

    private func knownDays() async throws -> DayRange? {
        try await KnownDays(ports: ports, settings: settings).find()
    }
}

extension RunScope {
    /// Whether the run is a daily or a historical one.
    package var kind: SyncRequest.Scope {
        switch self {
        case .daily: .daily
        case .historical: .historical
        }
    }

    /// The command under which the run is recorded.
    var command: RunCommand { RunCommand(rawValue: kind.rawValue) }
}

/// The days of a run, as its scope states them.
private struct RunDays: Sendable {
    let scope: RunScope
    /// Today and as many days before it as the scope states, or a default.
    private let recent: DayRange

    init(_ scope: RunScope, settings: EngineSettings, now: Instant) {
        self.scope = scope
        var lookBackDays: Int?
        if case .daily(let days) = scope { lookBackDays = days }
        recent = settings.recentDays(lookBackDays, at: now)
    }

    /// The days that the user requested explicitly; `nil` if they depend on the stored data.
    var stated: DayRange? {
        switch scope {
        case .daily(nil): nil
        case .daily: recent
        case .historical(let from?, let to?): DayRange(from, through: to)
        case .historical: nil
        }
    }

    /// The days that the run may count by another clock; `nil` for all.
    var recountable: DayRange? {
        switch scope {
        // An unbounded daily run derives all days, but the zone of the moment must not recount years without a request.
        case .daily: recent
        case .historical(nil, nil): nil
        case .historical(let from, let to):
            DayRange(from ?? CalendarDay(ordinal: -1_000_000), through: to ?? CalendarDay(ordinal: 3_000_000))
                ?? DayRange(from ?? recent.last)
        }
    }

    /// Returns the days to derive; `nil` if none of the `known` days is among them. With `all`, these are the days of
    /// the scope and all others that are known.
    func covered(of known: DayRange?, all: Bool) -> DayRange? {
        let asked = asked(of: known)
        guard all, let known else { return asked }
        return asked.map { DayRange(min($0.first, known.first), through: max($0.last, known.last)) } ?? known
    }

    private func asked(of known: DayRange?) -> DayRange? {
        switch scope {
        case .daily(nil): return known ?? recent
        case .daily: return recent
        case .historical(let from, let to):
            guard let known else { return nil }
            return DayRange(max(from ?? known.first, known.first), through: min(to ?? known.last, known.last))
        }
    }
}

/// Records a sync that could not begin, for example because a source does not exist.
package struct UnstartedSync: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Records a run over `scope`, by another command than that of the scope if one is named, that failed because of `error`.
    package func run(_ scope: RunScope, as command: RunCommand? = nil, because error: any Error) async {
        let days = RunDays(scope, settings: settings, now: ports.time.now()).stated
        _ = try? await RunRecorder(ports: ports).run(command ?? scope.command, days: days) { _ in throw error }
    }
}

/// Makes the next run derive days again.
package struct ResetTracking: Sendable {
    let ports: EnginePorts

    /// Deletes the input digests of `days` (all for `nil`) of `metric` (all for `nil`), so that the next run that
    /// covers them derives them again. Returns how many were deleted.
    package func run(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await ports.tracking.resetTracking(of: metric, days: days)
    }
}
