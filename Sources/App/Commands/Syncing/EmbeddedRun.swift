package import HealthSyncDomain
package import HealthSyncEngine
package import HealthSyncPorts

/// A daily or historical run without a command line: for programs that embed the library.
package struct EmbeddedRun: Sendable {
    /// A source of the run.
    package enum Source: Sendable {
        /// A path or URL, which is recognized.
        case location(String)
        /// A source that the program opened.
        case opened(any HealthDataSource)
    }

    private let environment: CommandEnvironment
    private var settings: Settings

    /// Creates a run with `settings`; their `sources` are not read.
    package init(environment: CommandEnvironment, settings: Settings) {
        self.environment = environment
        self.settings = settings
    }

    /// Imports `sources`, derives the days of `scope` and, if a server is set, delivers what changed.
    ///
    /// - Throws: `SyncFailure`, and `CancellationError` if the calling task is cancelled; the committed part is kept.
    package func run(
        _ scope: RunScope, sources: [Source], options: Sync.Options
    ) async throws -> RunReport {
        do {
            if let failure = environment.startFailure { throw failure }
            return try await counted().report(scope, sources: sources, options: options)
        } catch let failure as SyncFailure {
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw SyncFailure(
                .unexpected, subject: "the run", reason: FailureText.of(error),
                advice: "report this as a bug in healthsync")
        }
    }

    /// Returns the same run in the zone of the stored days (decision 16).
    private func counted() async throws -> EmbeddedRun {
        try await environment.factory.backups?.finishRestore(of: .local(dataDirectory: settings.dataDirectory))
        var run = self
        if try await environment.status(of: settings.databasePath) != nil,
            let days = await environment.factory.storedDayZones(settings)
        {
            run.settings.clock =
                ZoneChoice(settings, counted: days, derives: true, time: environment.time).clock
        }
        return run
    }

    private func report(
        _ scope: RunScope, sources: [Source], options: Sync.Options
    ) async throws -> RunReport {
        try settings.requireSomethingToKeep()
        var opened: [any HealthDataSource] = []
        for source in sources {
            switch source {
            case .location(let text):
                let location = try SourceLocations(environment).location(text, from: environment.workingDirectory)
                opened += try await environment.factory.sources(location, settings).sources
            case .opened(let source): opened.append(source)
            }
        }
        let access = EngineAccess(
            environment: environment, settings: settings, derivesRecorded: settings.metrics == nil,
            log: environment.log(settings.logLevel), progress: environment.progress(.normal))
        return try await access.use(.writing) { [opened] open in
            var options = options
            options.userProfileID = try await UserProfile(environment: environment).id(settings)
            var report = try await open.engine.sync.run(scope, sources: opened, options: options)
            try SyncRun.requireInput(report)
            if try await open.engine.furtherMetrics.takeNotice(after: report) {
                report.notice = FurtherMetricsText.notice
            }
            return report
        }
    }
}
