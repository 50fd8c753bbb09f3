import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// What a command is given: its options and the outside world.
struct CommandContext: Sendable {
    let environment: CommandEnvironment
    let parsed: ParsedCommand
    let verbosity: Verbosity

    init(environment: CommandEnvironment, parsed: ParsedCommand) throws(SyncFailure) {
        self.environment = environment
        self.parsed = parsed
        if parsed.has("quiet"), parsed.has("verbose") {
            throw .usage("--quiet", "contradicts --verbose", advice: "give one of them")
        }
        verbosity = parsed.has("quiet") ? .quiet : parsed.has("verbose") ? .verbose : .normal
    }

    /// What holds after options, variables, configuration file and defaults.
    func settings() throws(SyncFailure) -> Settings {
        try SettingsResolver(environment: environment, parsed: parsed).settings()
    }

    /// The same for what is done with the local database: days are counted as its days were. Where that is not by the zone
    /// that was named, standard error says so; how the system's zone differs, or that some days are still to be counted, is
    /// said where `showsState`, by a run or `status`, and not by every view. With `--json` nothing is said. A run that
    /// `derives` days takes the zone that was named.
    func homeSettings(derives: Bool = false, showsState: Bool = false) async throws -> Settings {
        var settings = try settings()
        guard let choice = try await zoneChoice(settings, derives: derives) else { return settings }
        settings.clock = choice.clock
        if let notice = choice.notice, !parsed.has("json"), derives || showsState || choice.isAboutNamedZone {
            warn(notice)
        }
        return settings
    }

    /// By which clock days are counted; `nil` while none is stored.
    func zoneChoice(_ settings: Settings, derives: Bool = false) async throws -> ZoneChoice? {
        guard try environment.files.status(of: settings.databasePath) != nil else { return nil }
        return await environment.factory.countedDays(settings).map {
            ZoneChoice(settings, counted: $0, derives: derives, time: environment.time)
        }
    }

    /// What a user should know of the zone that days are counted by, where a source contradicts it.
    func contradiction(_ settings: Settings) async throws -> String? {
        guard let choice = try await zoneChoice(settings) else { return nil }
        return ZoneEvidence.notice(
            of: await environment.factory.zoneEvidence(settings), countedBy: choice.clock, environment.time.zoneRules)
    }

    /// How results are written.
    var style: OutputStyle {
        environment.isOutputTerminal
            ? OutputStyle(terminalWidth: environment.width, variables: environment.variables) : .plain
    }

    /// Shows a result: lines for a person, in which control characters are escaped, or with `--json` one document.
    func show(text lines: [String], json: JSONValue) {
        show(charts: lines.map(UntrustedText.escaped), json: json)
    }

    /// The same with lines that may hold colours: whatever others wrote was escaped before it was drawn among them.
    func show(charts lines: [String], json: JSONValue) {
        environment.output(
            parsed.has("json") ? JSONText.document(json) : lines.map { $0 + "\n" }.joined())
    }

    /// Says something that is no result, unless `--quiet`.
    func warn(_ line: String) {
        if verbosity != .quiet { environment.errorLine("healthsync: \(UntrustedText.escaped(line))") }
    }

    /// Asks a question that is answered by yes or no; `nil` where nobody can be asked.
    func confirm(_ question: String) -> Bool? { environment.confirm(UntrustedText.escaped("\(question)? [y/N] ")) }

    /// Throws `.noInput` where there is no database.
    func requireDatabase(of settings: Settings) throws(SyncFailure) {
        guard try environment.files.status(of: settings.databasePath) == nil else { return }
        throw SyncFailure(
            .noInput, subject: settings.databasePath, reason: "there is no database yet",
            advice: "run `healthsync historical --source FILE` first, or name its folder with --data-dir")
    }

    /// Runs `body` with an engine and closes it whatever happens.
    func withEngine<Result: Sendable>(
        _ access: EngineRequest.Access, settings: Settings, _ body: (SyncEngine) async throws -> Result
    ) async throws -> Result {
        if access == .reading { try requireDatabase(of: settings) }
        let choice = try MetricChoice(settings: settings, factory: environment.factory)
        var engineSettings = choice.engineSettings(settings)
        if !parsed.has("metrics") {
            engineSettings.handlerOfRecorded = MetricChoice.handlerOfRecorded(settings, factory: environment.factory)
        }
        let log = environment.log(verbosity)
        noteSettings(settings, in: log)
        let open = try await environment.factory.openEngine(
            EngineRequest(
                settings: settings, userProfile: UserProfile(environment: environment),
                engineSettings: engineSettings, access: access,
                log: log, progress: environment.progress(verbosity)))
        do {
            let result = try await body(open.engine)
            await open.close()
            return result
        } catch {
            await open.close()
            throw error
        }
    }

    /// What was chosen, and by what.
    private func noteSettings(_ settings: Settings, in log: any EventLog) {
        for detail in [
            "configuration: \(settings.configurationFile ?? "none")", "data folder: \(settings.dataDirectory)",
            "days by \(DayZones(settings.clock).name)\(settings.isZoneStated ? "" : ", which nobody named")",
            "server: \(settings.server?.url ?? "none")",
        ] {
            log.note(detail, isDetail: true)
        }
    }

    /// The sources at `paths`; exports that are not read are named on standard error.
    func sources(at paths: [String], _ settings: Settings) async throws -> FoundSources {
        var found = FoundSources()
        for path in paths { found.add(try await environment.factory.sources(path, settings)) }
        for export in found.unread { warn(UnreadExportView(export: export, clock: settings.clock).text) }
        return found
    }
}
