package import HealthSyncDomain
package import HealthSyncPorts
package import Foundation

/// The use cases of the program, one method each.
package struct SyncEngine: Sendable {
    package let ports: EnginePorts
    package let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Options of a run.
    package struct SyncOptions: Sendable, Hashable {
        /// Read, derive and send again even if nothing changed.
        package var force = false
        /// Import a snapshot that deletes more than a fifth of the stored samples.
        package var allowDeletions = false
        /// The user profile of the data.
        package var userProfileID: UUID?
        /// Whether queued items are sent to the server, if one is configured.
        package var pushes = true
        /// Seconds after which no new request begins; `nil` for no limit.
        package var deadlineSeconds: Int64?

        package init() {}
    }

    /// Imports `sources` and derives the days of `coverage`.
    ///
    /// A source that cannot be read at all throws before anything is derived. A truncated source is imported up to
    /// its end, which its report states.
    package func sync(
        _ coverage: RunScope, sources: [any HealthDataSource], options: SyncOptions
    ) async throws -> RunReport {
        try await recorded(RunCommand(of: coverage), days: statedDays(of: coverage)) { report in
            if let missing = try await missingInput(coverage, sources: sources) { report.problems.append(missing) }
            try await sync(coverage, sources: sources, options: options, into: &report)
        }
    }

    /// Returns the failure of a run without sources; `nil` if it has sources, or is a historical run over stored
    /// days.
    private func missingInput(_ coverage: RunScope, sources: [any HealthDataSource]) async throws -> SyncFailure? {
        guard sources.isEmpty else { return nil }
        let isEmpty = try await knownDays() == nil
        guard isEmpty || coverage.scope == .daily else { return nil }
        return SyncFailure(
            .noInput, subject: "sources", reason: "no source was given, so nothing was imported",
            advice: "name a file with --source, or configure \"sources\"")
    }

    private func sync(
        _ coverage: RunScope, sources: [any HealthDataSource], options: SyncOptions, into report: inout RunReport
    ) async throws {
        let counting = DayCounting(
            ports: ports, settings: settings, days: DayCounting.days(of: coverage, today: today()))
        let plan = try await counting.plan()
        let zones = ZoneCheck(ports: ports, settings: settings)
        report.ingests = try await SourceIngest(
            store: ports.pages, hasher: ports.hasher, time: ports.time, progress: ports.progress, log: ports.log
        ).ingest(
            sources, selection: settings.selection, allowDeletions: options.allowDeletions, force: options.force,
            check: zones.requireMatchingZone)
        try await zones.remember(report.ingests)
        report.zoneNotice = try await zones.notice()
        let known = try await knownDays()
        guard let days = plan.coversAllDays ? allDays(known, and: coverage) : days(of: coverage, known: known) else {
            if options.pushes { report.delivery = try await deliver(deadlineSeconds: options.deadlineSeconds) }
            return
        }
        report.days = days
        let parts = CompleteParts(ports: ports, clock: settings.clock, known: known ?? days, days: days)
        let request = SyncRequest(
            scope: coverage.scope, days: days, userProfileID: options.userProfileID, force: options.force)
        if options.force {
            if let server = ports.server {
                try await ports.outbox.forgetDelivered(destination: server.address, days: days)
            }
            // Before records are written, so that a record that exists again supersedes its deletion.
            if coverage.scope == .historical || parts.coversAll {
                try await ports.tracking.renewTombstones(revision: RevisionClock(ports.time).next())
            }
        }
        try await counting.begin(plan)
        report.sync = try await HealthDataSyncOrchestrator(ports: ports, settings: counting.settings(for: plan))
            .run(request, completing: parts)
        try await counting.finish(plan, after: report.sync)
        if case .daily(let lookBackDays) = coverage {
            report.shoes = try await checkShoes(on: recentDays(lookBackDays))
        }
        try await cacheAttributedDays(of: try await ports.shoes.sessions())
        if let server = ports.server { try await offer(days, to: server, force: options.force, parts) }
        try await parts.store()
        if !parts.coversAll || !report.sync.failures.isEmpty {
            report.outOfDate = try await outOfDateDays(among: known ?? days)
        }
        if ports.server != nil {
            report.layering = try await layer(days, force: options.force)
            if options.pushes { report.delivery = try await deliver(deadlineSeconds: options.deadlineSeconds) }
        }
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

    /// Sends the queued items; returns `nil` if no server is configured. `resuming` retries a server that was paused
    /// until the user acts. The run is recorded with `command`.
    package func push(
        deadlineSeconds: Int64?, resuming: Bool = false, as command: RunCommand = .push
    ) async throws -> DeliveryReport? {
        guard ports.server != nil else { return nil }
        return try await recorded(command, days: nil) { report in
            report.delivery = try await deliver(deadlineSeconds: deadlineSeconds, resuming: resuming)
            if let delivery = report.delivery, delivery.ending == .finished, try await neverOffered(delivery) {
                report.delivery?.ending = .neverOffered
            }
        }.delivery
    }

    /// Returns whether nothing was ever offered to the server, because the first run with it is still to come.
    private func neverOffered(_ delivery: DeliveryReport) async throws -> Bool {
        guard try await ports.outbox.counts(destination: delivery.destination).values.allSatisfy({ $0 == 0 }) else {
            return false
        }
        return try await ports.repository.recordedDays() != nil
    }

    /// Sends the queued items as part of a run.
    func deliver(deadlineSeconds: Int64?, resuming: Bool = false) async throws -> DeliveryReport? {
        guard let server = ports.server else { return nil }
        try await ports.outbox.expireLeases(destination: server.address, now: ports.time.now())
        let deadline = deadlineSeconds.map { ports.time.now().advanced(bySeconds: $0) }
        return try await OutboxDelivery(ports: ports, options: settings.delivery)?
            .run(until: deadline ?? Instant(milliseconds: .max), resuming: resuming)
    }

    /// Returns the current calendar day of the user.
    package func today() -> CalendarDay { settings.clock.day(of: ports.time.now()) }

    /// Deletes the input digests of `days` (all for `nil`) of `metric` (all for `nil`), so that the next run that
    /// covers them derives them again.
    package func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await ports.tracking.resetTracking(of: metric, days: days)
    }

    /// Returns the days that the user requested explicitly; `nil` if they depend on the stored data.
    package func statedDays(of coverage: RunScope) -> DayRange? {
        switch coverage {
        case .daily(let lookBackDays): lookBackDays.map(recentDays)
        case .historical(let from?, let to?): DayRange(from, through: to)
        case .historical: nil
        }
    }

    /// Returns today and `lookBackDays` days before it, by default `defaultLookBackDays`.
    package func recentDays(_ lookBackDays: Int?) -> DayRange {
        DayRange(today()).widened(before: max(0, lookBackDays ?? Self.defaultLookBackDays), after: 0)
    }

    /// The default for everything that concerns only recent days: automatic sessions, and the days that a change of
    /// the zone may recompute without being requested.
    static let defaultLookBackDays = 7

    private func days(of coverage: RunScope, known: DayRange?) -> DayRange? {
        switch coverage {
        case .daily(nil): return known ?? recentDays(nil)
        case .daily: return statedDays(of: coverage)
        case .historical(let from, let to):
            guard let known else { return nil }
            return DayRange(max(from ?? known.first, known.first), through: min(to ?? known.last, known.last))
        }
    }

    /// Returns the covered days and all other known days.
    private func allDays(_ known: DayRange?, and coverage: RunScope) -> DayRange? {
        let asked = days(of: coverage, known: known)
        guard let known else { return asked }
        return asked.map { DayRange(min($0.first, known.first), through: max($0.last, known.last)) } ?? known
    }
}

extension RunScope {
    var scope: SyncRequest.Scope {
        switch self {
        case .daily: .daily
        case .historical: .historical
        }
    }
}

extension RunCommand {
    package init(of coverage: RunScope) {
        switch coverage {
        case .daily: self = .daily
        case .historical: self = .historical
        }
    }
}
