package import HealthSyncDomain
package import HealthSyncPorts
package import Foundation

/// What people can have done: one method a use case.
package struct SyncEngine: Sendable {
    package let ports: EnginePorts
    package let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Which days a run covers.
    package enum Coverage: Sendable, Hashable {
        /// Every day whose inputs changed; with a bound only today and `lookBackDays` days before it.
        case daily(lookBackDays: Int?)
        /// From a first to a last day, each included; without one, as far as there are samples.
        case historical(from: CalendarDay?, to: CalendarDay?)
    }

    /// Further wishes for a run.
    package struct SyncOptions: Sendable, Hashable {
        /// Read, derive and send again even where nothing changed.
        package var force = false
        /// Take in a snapshot that deletes more than a fifth of what is stored.
        package var allowDeletions = false
        /// Whose data it is.
        package var userProfileID: UUID?
        /// Whether what waits is sent to the server, if one is configured.
        package var pushes = true
        /// Seconds after which no further request begins; `nil` for no bound.
        package var deadlineSeconds: Int64?

        package init() {}
    }

    /// Takes in `sources` and brings the days of `coverage` up to date.
    ///
    /// A source that cannot be read at all throws before anything is derived; one that breaks off is taken in as far as
    /// it goes, and its report says so.
    package func sync(
        _ coverage: Coverage, sources: [any HealthDataSource], options: SyncOptions
    ) async throws -> RunReport {
        try await recorded(RunCommand(of: coverage), days: statedDays(of: coverage)) { report in
            if let missing = try await missingInput(coverage, sources: sources) { report.problems.append(missing) }
            try await sync(coverage, sources: sources, options: options, into: &report)
        }
    }

    private func sync(
        _ coverage: Coverage, sources: [any HealthDataSource], options: SyncOptions, into report: inout RunReport
    ) async throws {
        let counting = DayCounting(
            ports: ports, settings: settings, days: DayCounting.days(of: coverage, today: today()))
        let plan = try await counting.plan()
        let zones = ZoneCheck(ports: ports, settings: settings)
        report.ingests = try await SourceIngest(
            store: ports.pages, hasher: ports.hasher, time: ports.time, progress: ports.progress, log: ports.log
        ).ingest(
            sources, selection: settings.selection, allowDeletions: options.allowDeletions, force: options.force,
            check: zones.requireFit)
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
                try await ports.outbox.forgetDelivered(destination: server.encoder.destination, days: days)
            }
            // Before what is there now is written, so that a record that comes back outranks its deletion.
            if coverage.scope == .historical || parts.coversAll {
                try await ports.tracking.renewRemoved(revision: RevisionClock(ports.time).next())
            }
        }
        try await counting.begin(plan)
        report.sync = try await HealthDataSyncOrchestrator(ports: ports, settings: counting.settings(for: plan))
            .run(request, completing: parts)
        try await counting.finish(plan, after: report.sync)
        if case .daily(let lookBackDays) = coverage {
            report.shoes = try await checkShoes(on: recentDays(lookBackDays))
        }
        try await rememberAttributedDays(of: try await ports.shoes.sessions())
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

    /// Puts the records of `days` that a server was never offered into its outbox.
    private func offer(
        _ days: DayRange, to server: EnginePorts.Server, force: Bool, _ parts: CompleteParts
    ) async throws {
        let part = CompletePart.server(server.encoder.destination)
        if try await parts.isComplete(part, by: ""), !force { return }
        _ = try await OutboxBackfill(store: ports.outbox, encoder: server.encoder).run(days: days)
        parts.note(part, by: "")
    }

    /// Sends what waits in the outbox; `nil` when no server is configured. `resuming` tries a server again that was
    /// paused until the user acts. The run is remembered as one of `command`.
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

    /// Whether the server of `delivery` knows none of the records because a run for it is still to come.
    private func neverOffered(_ delivery: DeliveryReport) async throws -> Bool {
        guard try await ports.outbox.counts(destination: delivery.destination).values.allSatisfy({ $0 == 0 }) else {
            return false
        }
        return try await ports.repository.recordedDays() != nil
    }

    /// Sends what waits as a part of a run.
    func deliver(deadlineSeconds: Int64?, resuming: Bool = false) async throws -> DeliveryReport? {
        guard let server = ports.server else { return nil }
        try await ports.outbox.expireLeases(destination: server.encoder.destination, now: ports.time.now())
        let deadline = deadlineSeconds.map { ports.time.now().advanced(bySeconds: $0) }
        return try await OutboxDelivery(ports: ports, options: settings.delivery)?
            .run(until: deadline ?? Instant(milliseconds: .max), resuming: resuming)
    }

    /// Today's calendar day, by the person's clock.
    package func today() -> CalendarDay { settings.clock.day(of: ports.time.now()) }

    /// Forgets what `days` (all for `nil`) were derived from, of `metric` or of all, so that the next run that covers
    /// them derives them again.
    package func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await ports.tracking.resetTracking(of: metric, days: days)
    }

    /// The days that are asked for by name; `nil` where they follow from what is stored.
    package func statedDays(of coverage: Coverage) -> DayRange? {
        switch coverage {
        case .daily(let lookBackDays): lookBackDays.map(recentDays)
        case .historical(let from?, let to?): DayRange(from, through: to)
        case .historical: nil
        }
    }

    /// Today and the days before it: as many as asked for, else as usual.
    package func recentDays(_ lookBackDays: Int?) -> DayRange {
        DayRange(today()).widened(before: max(0, lookBackDays ?? Self.usualLookBackDays), after: 0)
    }

    /// For what looks at recent days alone: the check of shoes, and the days that another zone may recount by itself.
    static let usualLookBackDays = 7

    private func days(of coverage: Coverage, known: DayRange?) -> DayRange? {
        switch coverage {
        case .daily(nil): return known ?? recentDays(nil)
        case .daily: return statedDays(of: coverage)
        case .historical(let from, let to):
            guard let known else { return nil }
            return DayRange(max(from ?? known.first, known.first), through: min(to ?? known.last, known.last))
        }
    }

    /// Those days and every other one that is known.
    private func allDays(_ known: DayRange?, and coverage: Coverage) -> DayRange? {
        let asked = days(of: coverage, known: known)
        guard let known else { return asked }
        return asked.map { DayRange(min($0.first, known.first), through: max($0.last, known.last)) } ?? known
    }
}

extension SyncEngine.Coverage {
    var scope: SyncRequest.Scope {
        switch self {
        case .daily: .daily
        case .historical: .historical
        }
    }
}

extension RunCommand {
    package init(of coverage: SyncEngine.Coverage) {
        switch coverage {
        case .daily: self = .daily
        case .historical: self = .historical
        }
    }
}
