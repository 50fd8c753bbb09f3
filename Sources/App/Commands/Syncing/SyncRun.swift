import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The work of `daily` and `historical`: import, derive, deliver and report.
struct SyncRun {
    let context: CommandContext
    let settings: Settings
    /// The options to keep in the configuration; `nil` for none.
    var saved: SavedOptions?
    /// The command under which the run is recorded; that of its scope for `nil`.
    var command: RunCommand?

    func run(_ scope: RunScope) async throws -> ExitStatus {
        let parsed = context.parsed
        let deadline = try DeliveryDeadline.seconds(parsed)
        let intake = try await intake(for: scope)
        let found = try await sources(for: scope)
        if found.sources.isEmpty, intake == nil,
            try await context.environment.status(of: settings.databasePath) == nil
        {
            // Before the engine is opened, so that a mistyped data folder leaves no empty database.
            _ = try MetricChoice(settings: settings, factory: context.environment.factory)
            throw Self.noInput
        }
        let decision = try await saved?.decision() ?? SavedOptions.Decision()
        let status = try await context.withEngine(.writing, settings: settings) { engine in
            var options = Sync.Options()
            options.command = command
            options.force = parsed.has("force")
            options.followsPosts = intake != nil
            options.pushes = !parsed.has("no-push")
            options.deadlineSeconds = deadline
            options.allowDeletions = parsed.has("allow-deletions")
            options.userProfileID = try await UserProfile(environment: context.environment).id(settings)
            var report = try await engine.sync.run(scope, sources: found.sources, options: options) {
                try await saved?.write(decision)
            }
            try Self.requireInput(report)
            report.notice = try await context.furtherMetricsNotice(after: report, engine)
            let shoes = report.shoes == nil ? [] : try await engine.shoes.all()
            let view = RunView(
                scope: scope.kind, report: report, inbox: intake, unread: found.unread, clock: settings.clock,
                shoes: ShoeNames(shoes))
            let latest = report.changesFigures ? try await latestFigures(engine) : []
            context.report(text: view.lines + latest, json: view.json, status: view.status)
            if let notice = report.zoneNotice, !parsed.has("json") { context.warn(notice) }
            return view.status
        }
        saved?.warn(of: decision, after: status)
        return status
    }

    /// Returns the latest figure of each metric, which tells a user more than the counts of a run.
    private func latestFigures(_ engine: SyncEngine) async throws -> [String] {
        guard !context.parsed.has("json") else { return [] }
        let today = settings.clock.day(of: context.environment.time.now())
        let catalog = MetricCatalog(settings, factory: context.environment.factory)
        let view = LatestView(
            summary: try await engine.records.summary(today: today), clock: settings.clock, catalog: catalog,
            freshness: nil)
        // A line that exceeds the terminal is wrapped and loses its columns.
        let lines = view.figures(context.style)
        let indented = lines.map { "  " + $0 }
        let fits = indented.allSatisfy { DisplayText.width($0) <= context.style.width ?? .max }
        return ["", "The latest figures (`healthsync summary` shows more):"] + (fits ? indented : lines)
    }

    /// Imports the posts of phones that wait; returns `nil` if the user has no inbox, or the run is not a daily one.
    private func intake(for scope: RunScope) async throws -> InboxIntakeView? {
        guard scope.kind == .daily, let intake = try await InboxIntake(context: context, settings: settings) else {
            return nil
        }
        try settings.requireSomethingToKeep()
        return try await intake.run(pullingFrom: settings.inboxServer)
    }

    /// Throws `.noInput` after a run that had no source and found nothing stored.
    static func requireInput(_ report: RunReport) throws(SyncFailure) {
        if report.isWithoutInput { throw noInput }
    }

    private static let noInput = SyncFailure(
        .noInput, subject: "--source", reason: "no source is configured and nothing is stored yet",
        advice: "name a file with --source or as \"sources\" in the configuration")

    /// Opens the sources. If that fails and a database exists, records a failed run.
    private func sources(for scope: RunScope) async throws -> FoundSources {
        do {
            try settings.requireSomethingToKeep()
            return try await context.sources(at: settings.sources, settings)
        } catch  where !(error is CancellationError) {
            if try await context.environment.status(of: settings.databasePath) != nil {
                try? await context.withEngine(.writing, settings: settings) { engine in
                    await engine.unstartedSync.run(scope, as: command, because: error)
                }
            }
            throw error
        }
    }
}

extension RunReport {
    /// Whether the run changed a figure of any metric.
    fileprivate var changesFigures: Bool {
        sync.outcomes.values.contains { outcome in
            if case .synced(_, let records) = outcome { records > 0 } else { false }
        }
    }
}
