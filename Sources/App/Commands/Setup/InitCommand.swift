import Foundation
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync init`
enum InitCommand: Command {
    static let declaration = CommandDeclaration(
        "init", "Write the configuration and make a first run",
        discussion: [
            "Asks for a file or folder with your data, the time zone of your days, the stays in other zones that records state "
                + "and a server. Proposes a zone that fits the data. "
                + "Options answer these questions in advance: "
                + "--zone, --source, --server and --token-file; --data-dir and --config select other places.",
            "Without a terminal --yes is required, which accepts the default of every question that no option answers, but no "
                + "stays in other zones that records state: `doctor` proposes them. The "
                + "configuration is a file that only you may read. The one that it replaces is kept as FILE.bak: it may have "
                + "settings that no question asks for.",
        ],
        options: [
            .flag("yes", letter: "y", "Accept the defaults instead of asking"),
            .flag("replace", "Replace an existing configuration without asking"),
            .flag("no-run", "Write the configuration only"),
        ],
        examples: ["init", "init --yes --zone Europe/Paris --source ~/Downloads/export.zip"],
        uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let environment = context.environment
        guard let path = SettingsResolver.configurationPath(environment, context.parsed)?.path else {
            throw SyncFailure.configuration(
                "HOME", "not set, so there is no default configuration file", advice: "name a file with --config")
        }
        let replaces = try await mayReplace(path, context)
        let answers = try await InitAnswers.of(context)
        let bytes = Array(JSONText.document(answers.configuration).utf8)
        try await BlockingWork.run("healthsync.settings") { _ in
            try environment.files.makePrivateFolder((path as NSString).deletingLastPathComponent)
            if replaces {
                try keep(path, environment.files)
                return try environment.files.replacePrivateFile(path, bytes)
            }
            guard try environment.files.makePrivateFile(path, bytes) else { throw exists(path) }
        }
        guard !context.parsed.has("no-run"), !answers.settings.sources.isEmpty else {
            context.show(
                text: [
                    "\(path) written; `healthsync daily --source FILE` imports data, `healthsync service install` does "
                        + "so every day"
                ], json: ["configuration": path])
            return .done
        }
        context.warn("\(path) written")
        let configured = try CommandContext(environment: environment, parsed: answers.parsed)
        let status = try await SyncRun(
            context: configured, settings: try await configured.localSettings(derives: true)
        ).run(.daily(lookBackDays: nil))
        if status == .done {
            context.warn("`healthsync summary` shows the figures, `healthsync service install` imports every day")
        }
        return status
    }

    /// Returns whether a configuration exists that the user wants to replace.
    private static func mayReplace(_ path: String, _ context: CommandContext) async throws -> Bool {
        guard try context.environment.files.status(of: path) != nil else { return false }
        if context.parsed.has("replace") { return true }
        guard !context.parsed.has("yes") else { throw exists(path) }
        let answer = try await BlockingWork.run("healthsync.question") { [environment = context.environment] _ in
            environment.confirm(UntrustedText.escaped("Replace \(path)? [y/N] "))
        }
        guard let answer else { throw exists(path) }
        guard answer else {
            throw SyncFailure(
                .cancelled, subject: path, reason: "nothing was changed", advice: "answer y or add --replace")
        }
        return true
    }

    /// Copies a configuration that is about to be replaced. One that is too large to be a configuration is not copied.
    private static func keep(_ path: String, _ files: any UserFiles) throws {
        let former = try files.read(path, limit: SettingsResolver.largestFile)
        try files.replacePrivateFile(path + ".bak", former)
    }

    private static func exists(_ path: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "already exists",
            advice: "edit it, name another file with --config, or add --replace")
    }
}

/// The answers to the questions of `init`, from options or from the terminal.
private struct InitAnswers {
    /// The command line with an option for each answer.
    private(set) var parsed: ParsedCommand
    /// The settings that result from the answers.
    private(set) var settings: Settings
    /// The stays in other zones; `nil` if the user has or wants none.
    private var stays: ProposedStays?
    private let context: CommandContext

    /// Returns the answers. Throws `.usage` if a question has no answer, and the error of an invalid option.
    static func of(_ context: CommandContext) async throws -> InitAnswers {
        var answers = InitAnswers(
            parsed: context.parsed, settings: try await settings(context.parsed, context), context: context)
        try await answers.ask("source", "File or folder with your health data, empty for none yet")
        let (evidence, stated) = try await answers.evidence()
        try await answers.askZone(evidence, stated)
        try await answers.askStays(stated)
        try await answers.ask("server", "URL of your server, empty to keep everything on this computer")
        if answers.settings.server != nil {
            try await answers.ask("token-file", "File that contains only the token of the server, empty for none")
        }
        return answers
    }

    /// The configuration that states the answers.
    var configuration: JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        if !settings.sources.isEmpty { members.append(("sources", settings.sources.json)) }
        if parsed.has("data-dir") { members.append(("dataDirectory", settings.dataDirectory.json)) }
        if let zone = parsed.text("zone") { members.append(("zone", zone.json)) }
        if let stays { members.append(("timeZones", stays.json)) }
        if let server = settings.server {
            var server: [(key: String, value: String)] = [("url", server.url)]
            if let token = parsed.text("token-file") { server.append(("tokenFile", context.absolutePath(token))) }
            members.append(("server", .object(of: server)))
        }
        return .object(of: members)
    }

    /// Asks for the zone. The default is that of HEALTHSYNC_ZONE, else the system's zone, unless the data state another zone or other UTC offsets: then it is
    /// that zone, or one that has them. Without data the default is not written to the configuration, because it is only a
    /// guess that the first import must check.
    private mutating func askZone(_ evidence: [ZoneEvidence], _ stated: StatedStays) async throws {
        guard !parsed.has("zone") else { return }
        let time = context.environment.time
        let contradiction = ZoneEvidence.contradiction(among: evidence, to: settings.clock)
        let travel = stated.contradiction(to: settings.clock)
        let candidates = ZoneEvidence.candidates(for: evidence, stated, countedBy: settings.clock, time.zoneRules)
        let isContradicted = contradiction != nil || travel != nil
        // No option names the zone, so it is that of HEALTHSYNC_ZONE.
        let named = settings.isZoneConfigured ? settings.clock.home.identifier : nil
        let usual = isContradicted ? candidates.first ?? "" : named ?? time.systemZoneName()
        var question = "Time zone of your days"
        if let travel { question += "; \(travel.text)" }
        if let offset = contradiction?.stated {
            question += "; the data state \(UTCOffset.text(offset.seconds))"
            if candidates.count > 1 { question += ", as in " + candidates.joined(separator: ", ") }
        }
        let isGuess = evidence.allSatisfy(\.offsets.isEmpty) && stated.main == nil
        let isAnswered = try await ask("zone", question, default: usual, isRequired: isContradicted)
        if isGuess, !isAnswered, named == nil { parsed.values["zone"] = nil }
    }

    /// Asks whether to configure the stays in other zones that the records state.
    private mutating func askStays(_ stated: StatedStays) async throws {
        guard let proposal = stated.proposal(for: settings.clock) else { return }
        let proposed = ProposedStays(stays: proposal, known: DayZones(settings.clock))
        let question = StaysQuestion(context: context, proposed: proposed)
        if try await question.answer() { stays = question.proposed }
    }

    /// Returns the UTC offsets of the sources and the stays that their records state; reads them completely, unless no question
    /// depends on it. The first run reports a source that cannot be read.
    private func evidence() async throws -> ([ZoneEvidence], StatedStays) {
        let time = context.environment.time
        let rows = context.environment.factory.typeTable.rows
        var evidence: [ZoneEvidence] = []
        var stated = StatedZones(rules: time.zoneRules)
        guard !parsed.has("zone") || !parsed.has("yes") else { return (evidence, StatedStays(stated)) }
        do {
            for source in try await context.sources(at: settings.sources, settings).sources {
                let inspection = try await SourceInspection(of: source, knownTypes: rows, time: time)
                evidence.append(
                    ZoneEvidence(provider: inspection.provider, offsets: inspection.reading.statedOffsets))
                stated.add(inspection.statedZones)
            }
        } catch is SyncFailure {}
        return (evidence, StatedStays(stated))
    }

    /// Asks for the value of an option, unless it was given, until the answer is valid. An empty answer means `usual`, and
    /// no value if that is empty and the answer is not required. Returns whether the user gave an answer.
    @discardableResult
    private mutating func ask(
        _ option: String, _ question: String, default usual: String = "", isRequired: Bool = false
    ) async throws -> Bool {
        guard !parsed.has(option) else { return true }
        let prompt = UntrustedText.escaped(question + (usual.isEmpty ? ": " : " [\(usual)]: "))
        while true {
            var text = usual
            var isNamed = false
            if !parsed.has("yes") {
                let line = try await BlockingWork.run("healthsync.question") { [environment = context.environment] _ in
                    environment.ask(prompt)
                }
                guard let line else {
                    throw SyncFailure.usage(
                        "init",
                        "no answer to the question for --\(option): standard input is not a terminal, or has ended",
                        advice: "add --yes to accept the defaults, or give the option")
                }
                isNamed = !line.withoutOuterSpaces.isEmpty
                if isNamed { text = line.withoutOuterSpaces }
                // Users answer a question for something optional by no.
                if option == "server", ["n", "no"].contains(text.lowercased()) { text = "none" }
            }
            if text.isEmpty, isRequired {
                guard !parsed.has("yes") else {
                    throw SyncFailure.usage(
                        "init", "the data contradict the system's zone, and no zone fits them",
                        advice: "add --zone ZONE")
                }
                continue
            }
            guard !text.isEmpty else { return false }
            var answered = parsed
            answered.values[option] = [text]
            do {
                settings = try await Self.settings(answered, context)
                parsed = answered
                return isNamed
            } catch let failure as SyncFailure where !parsed.has("yes") {
                context.environment.errorLine("healthsync: \(UntrustedText.escaped(failure.description))")
            }
        }
    }

    /// Returns the settings of a command line without a configuration file. Throws if they are invalid, or if a source does
    /// not exist.
    private static func settings(_ parsed: ParsedCommand, _ context: CommandContext) async throws -> Settings {
        try await BlockingWork.run("healthsync.settings") { [environment = context.environment] _ in
            let settings = try SettingsResolver(environment: environment, parsed: parsed, file: nil).settings()
            for source in settings.sources where source.hasPrefix("/") {
                guard try environment.files.status(of: source) != nil else {
                    throw SyncFailure(
                        .noInput, subject: source, reason: "no such file or folder", advice: "check the path")
                }
            }
            return settings
        }
    }
}

/// Stays in other zones that records state and the configuration does not.
struct ProposedStays {
    /// Ordered by first day.
    let stays: [DayZones.Stay]

    /// The zones that the configuration states.
    let known: DayZones

    /// How many there are: `3 stays in other time zones`.
    var count: String { known.further(stays, number: Figures.grouped) }

    /// The value of `timeZones` in the configuration.
    var json: JSONValue {
        .array(stays.map { ["from": "\($0.firstDay)", "zone": $0.zone] })
    }

    /// The member of the configuration on one line, with spaces at which a terminal may break it:
    /// `"timeZones": [{ "from": "2023-07-01", "zone": "Asia/Tokyo" }]`
    var member: String {
        let entries = stays.map { stay in
            "{ \"from\": \"\(stay.firstDay)\", \"zone\": \(JSONText.line(.string(stay.zone))) }"
        }
        return "\"timeZones\": [\(entries.joined(separator: ", "))]"
    }
}

/// The question of `init` whether to configure the stays in other zones that the records state.
private struct StaysQuestion {
    let context: CommandContext
    let proposed: ProposedStays

    /// Returns whether the user wants the stays. An empty answer means yes. With `--yes` nobody sees the stays, so they are not
    /// configured.
    ///
    /// - Throws: `.usage` if standard input is not a terminal.
    func answer() async throws -> Bool {
        if context.parsed.has("yes") {
            context.warn("the records state \(proposed.count); `healthsync doctor` proposes them for the configuration")
            return false
        }
        for stay in proposed.stays {
            context.environment.errorLine(UntrustedText.escaped("  from \(stay.firstDay) \(stay.zone)"))
        }
        let prompt = UntrustedText.escaped("The records state \(proposed.count). Count their days by them? [yes]: ")
        while true {
            let line = try await BlockingWork.run("healthsync.question") { [environment = context.environment] _ in
                environment.ask(prompt)
            }
            guard let line else {
                throw SyncFailure.usage(
                    "init", "no answer to the question for stays: standard input is not a terminal, or has ended",
                    advice: "add --yes to configure no stays")
            }
            switch line.withoutOuterSpaces.lowercased() {
            case "", "y", "yes": return true
            case "n", "no": return false
            default: context.environment.errorLine("healthsync: answer yes or no")
            }
        }
    }
}
