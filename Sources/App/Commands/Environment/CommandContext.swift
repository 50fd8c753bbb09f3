import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The options and the environment of a running command.
struct CommandContext: Sendable {
    let environment: CommandEnvironment
    let parsed: ParsedCommand
    private(set) var verbosity: Verbosity

    init(environment: CommandEnvironment, parsed: ParsedCommand) throws(SyncFailure) {
        self.environment = environment
        self.parsed = parsed
        if parsed.has("quiet"), parsed.has("verbose") {
            throw .usage("--quiet", "cannot be combined with --verbose", advice: "use one of them")
        }
        verbosity = parsed.has("quiet") ? .quiet : parsed.has("verbose") ? .verbose : .normal
    }

    /// The same without progress and warnings, for work that the user did not start on the command line.
    var quiet: CommandContext {
        var context = self
        context.verbosity = .quiet
        return context
    }

    /// Returns the settings from options, variables, configuration file and defaults. Completes a restore of the local
    /// store that was killed.
    func settings() async throws -> Settings {
        let settings = try await BlockingWork.run("healthsync.settings") { [environment, parsed] _ in
            try SettingsResolver(environment: environment, parsed: parsed).settings()
        }
        try await environment.factory.backups?.finishRestore(of: .local(dataDirectory: settings.dataDirectory))
        return settings
    }

    /// Returns the settings for work on the local database, in the time zone of its stored days. Warns if that is not the
    /// zone the user named. Warns of a different system zone or of days not yet recomputed only with `showsState` or
    /// `derives`, so that views do not repeat it. Never warns with `--json`. A run that `derives` days uses the named zone.
    func localSettings(derives: Bool = false, showsState: Bool = false) async throws -> Settings {
        var settings = try await settings()
        guard let choice = try await zoneChoice(settings, derives: derives) else { return settings }
        settings.clock = choice.clock
        if let notice = choice.notice, !parsed.has("json"), derives || showsState || choice.isAboutNamedZone {
            warn(notice)
        }
        return settings
    }

    /// Returns the time zone of days, or `nil` if none are stored.
    func zoneChoice(_ settings: Settings, derives: Bool = false) async throws -> ZoneChoice? {
        guard try await environment.status(of: settings.databasePath) != nil else { return nil }
        return await environment.factory.storedDayZones(settings).map {
            ZoneChoice(settings, counted: $0, derives: derives, time: environment.time)
        }
    }

    /// Returns a notice if a source contradicts the time zone of the stored days.
    func zoneContradiction(_ settings: Settings) async throws -> String? {
        guard let choice = try await zoneChoice(settings) else { return nil }
        return ZoneEvidence.notice(
            of: await environment.factory.zoneEvidence(settings), countedBy: choice.clock, environment.time.zoneRules)
    }

    private var repeated: RepeatedOptions { RepeatedOptions(parsed, commands: environment.commands) }

    /// Returns the path that the user named, which may be relative to the working directory or begin with `~`.
    func absolutePath(_ path: String) -> String {
        PathResolver(home: environment.variables["HOME"]).absolute(path, from: environment.workingDirectory)
    }

    /// The style of text results.
    var style: OutputStyle {
        var style =
            environment.isOutputTerminal
            ? OutputStyle(terminalWidth: environment.width, variables: environment.variables) : .plain
        style.repeated = repeated
        return style
    }

    /// Prints a result: lines of text with control characters escaped, which are broken between words on a terminal, or one
    /// document with `--json`.
    func show(text lines: [String], json: JSONValue) {
        show(charts: lines.flatMap { style.wrapped($0) }, json: json)
    }

    /// Prints a result whose lines may contain colors. The caller has escaped all untrusted text in them.
    func show(charts lines: [String], json: JSONValue) {
        environment.output(
            parsed.has("json")
                ? JSONText.document(repeated.applied(to: json))
                : lines.map { $0 + "\n" }.joined())
    }

    /// Prints the report of a run like `show(text:json:)`. With `--quiet` a run that succeeded prints nothing as text.
    func report(text lines: [String], json: JSONValue, status: ExitStatus) {
        if verbosity == .quiet, status == .done, !parsed.has("json") { return }
        show(text: lines, json: json)
    }

    /// Prints a message to standard error, unless `--quiet` is set.
    func warn(_ line: String) {
        guard verbosity != .quiet else { return }
        environment.errorLine("healthsync: \(UntrustedText.escaped(repeated.applied(to: line)))")
    }

    /// Asks a yes-or-no question, unless `--yes` was given. Throws `.cancelled` for any answer but yes, and `.usage` if
    /// standard input is not a terminal.
    func confirm(_ question: String) async throws {
        guard !parsed.has("yes") else { return }
        let answer = try await BlockingWork.run("healthsync.question") { [environment] _ in
            environment.confirm(UntrustedText.escaped("\(question)? [y/N] "))
        }
        let command = parsed.path.joined(separator: " ")
        guard let answer else {
            throw SyncFailure.usage(command, "standard input is not a terminal", advice: "add --yes to confirm")
        }
        guard answer else {
            throw SyncFailure(
                .cancelled, subject: command, reason: "nothing was changed", advice: "answer y or add --yes to confirm")
        }
    }

    /// Throws `.noInput` if the database does not exist.
    func requireDatabase(of settings: Settings) throws(SyncFailure) {
        guard try environment.files.status(of: settings.databasePath) == nil else { return }
        throw SyncFailure(
            .noInput, subject: settings.databasePath, reason: "no database yet",
            advice: "run `healthsync import FILE` first, or name its folder with --data-dir")
    }

    /// Creates the database if it does not exist. Waits while another run holds the lock.
    func makeDatabase(of settings: Settings) async throws {
        while true {
            do {
                guard try await environment.status(of: settings.databasePath) == nil else { return }
                return try await withEngine(.writing, settings: settings) { _ in }
            } catch let failure as SyncFailure where failure.code == .busy {
                try await environment.time.wait(milliseconds: 1_000)
            }
        }
    }

    /// Runs `body` with an engine and closes it afterwards, also after an error.
    func withEngine<Result: Sendable>(
        _ access: EngineRequest.Access, settings: Settings, _ body: (SyncEngine) async throws -> Result
    ) async throws -> Result {
        try await withOpenEngine(access, settings: settings) { try await body($0.engine) }
    }

    /// Runs `body` with an engine and its stores, and closes them afterwards, also after an error.
    func withOpenEngine<Result: Sendable>(
        _ access: EngineRequest.Access, settings: Settings, _ body: (OpenEngine) async throws -> Result
    ) async throws -> Result {
        if access == .reading { try requireDatabase(of: settings) }
        let log = environment.log(settings.logLevel)
        logSettings(settings, in: log)
        return try await EngineAccess(
            environment: environment, settings: settings, derivesRecorded: !parsed.has("metrics"), log: log,
            progress: environment.progress(verbosity)
        ).use(access, body)
    }

    /// Logs the effective settings.
    private func logSettings(_ settings: Settings, in log: any EventLog) {
        for detail in [
            "configuration: \(settings.configurationFile ?? "none")", "data folder: \(settings.dataDirectory)",
            "time zone: \(DayZones(settings.clock).name)\(settings.isZoneConfigured ? "" : " (not configured)")",
            "server: \(settings.server?.url ?? "none")",
        ] {
            log.note(detail, level: .debug)
        }
    }

    /// Opens the sources at `paths` and warns of exports that are not read.
    func sources(at paths: [String], _ settings: Settings) async throws -> FoundSources {
        var found = FoundSources()
        for path in paths { found.add(try await environment.factory.sources(path, settings)) }
        for export in found.unread { warn(UnreadExportView(export: export, clock: settings.clock).text) }
        return found
    }
}

/// Opens the engine with given settings.
struct EngineAccess {
    let environment: CommandEnvironment
    let settings: Settings
    /// Whether a run that derives all days in another zone may also derive stored metrics that are not selected.
    let derivesRecorded: Bool
    let log: any EventLog
    let progress: any ProgressReporter

    /// Runs `body` with an open engine and closes it afterwards.
    func use<Result: Sendable>(
        _ access: EngineRequest.Access, _ body: (OpenEngine) async throws -> Result
    ) async throws -> Result {
        let choice = try MetricChoice(settings: settings, factory: environment.factory)
        var engineSettings = choice.engineSettings(settings)
        if derivesRecorded {
            engineSettings.handlerForStoredMetric = MetricChoice.handlerForStoredMetric(
                settings, factory: environment.factory)
        }
        let open = try await environment.factory.openEngine(
            EngineRequest(
                settings: settings, userProfile: UserProfile(environment: environment),
                engineSettings: engineSettings, access: access, log: log, progress: progress))
        do {
            let result = try await body(open)
            await open.close()
            return result
        } catch {
            await open.close()
            throw error
        }
    }
}

/// An export next to an imported one that is not read.
struct UnreadExportView: JSONEncodable {
    let export: UnreadExport
    let clock: DayClock

    /// The path, and why the export is not read, on one line.
    var text: String {
        let exported = export.exportDate.map { " (exported \(Figures.wallClock($0, clock)))" } ?? ""
        let advice = export.advice.isEmpty ? "" : "; \(export.advice)"
        return "\(export.path)\(exported) is not read: \(export.reason)\(advice)"
    }

    var json: JSONValue {
        [
            "path": export.path, "reason": export.reason,
            "exportDate": export.exportDate,
        ]
    }
}
