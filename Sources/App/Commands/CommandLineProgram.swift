import HealthSyncDomain
import HealthSyncPorts

/// The program: runs a command line in an environment and returns an exit status.
package struct CommandLineProgram: Sendable {
    private let environment: CommandEnvironment

    /// Creates the program in `environment`.
    package init(environment: CommandEnvironment) {
        var environment = environment.withOwnName
        environment.commands = CommandTable.declarations
        self.environment = environment
    }

    /// Runs the command. Reports a failure on standard error in one line, or as one JSON object with `--json`.
    /// Returns `.interrupted` if the calling task is cancelled.
    package func run() async -> ExitStatus {
        do {
            return try await dispatch()
        } catch let failure as SyncFailure {
            report(failure)
            return ExitStatus(of: failure)
        } catch is CancellationError {
            let failure = SyncFailure(
                .cancelled, subject: "", reason: "interrupted; completed work is kept",
                advice: "run the same command again to continue")
            report(failure)
            return .interrupted
        } catch {
            report(
                SyncFailure(
                    .unexpected, subject: "\(type(of: error))", reason: "\(error)",
                    advice: "this is a bug in healthsync; please report it"))
            return .unexpected
        }
    }

    private func dispatch() async throws -> ExitStatus {
        let parsed = try CommandLineParser(commands: CommandTable.declarations).parse(words())
        let context = try CommandContext(environment: environment, parsed: parsed)
        if parsed.has("version") { return VersionCommand.show(in: context) }
        if parsed.has("help") { return try HelpCommand.show(helpPath(parsed), in: context) }
        guard let command = CommandTable.all.first(where: { $0.declaration.path == parsed.path }) else {
            let advice = parsed.has("json") ? "see `healthsync help`" : "choose one of the commands above"
            if !parsed.has("json") {
                let help = HelpText(
                    commands: CommandTable.declarations, width: environment.width, program: environment.programName)
                environment.errorLine(help.overview)
            }
            throw SyncFailure.usage("", "no command given", advice: advice)
        }
        if parsed.has("source"), !command.declaration.uses.contains(.sources) {
            throw SyncFailure.usage(
                "--source", "`\(command.declaration.name)` reads no source",
                advice: "omit it; `healthsync import FILE` imports a source")
        }
        if let failure = environment.startFailure, parsed.path != ["help"] { throw failure }
        return try await command.run(in: context)
    }

    /// Returns the command line; one that names a file instead of a command imports it.
    private func words() throws(SyncFailure) -> [String] {
        let parser = CommandLineParser(commands: CommandTable.declarations)
        guard let word = parser.strangeWord(in: environment.words) else { return environment.words }
        let path = PathResolver(home: environment.variables["HOME"]).absolute(word, from: environment.workingDirectory)
        if try environment.files.status(of: path) != nil { return ImportCommand.declaration.path + environment.words }
        let names = environment.factory.typeTable.rows.filter { $0.kind != .category }.map(\.type.shortName)
        if let metric = MetricSynonyms.command(named: word, among: names) {
            throw .usage(word, "no such command", advice: "did you mean `\(metric)`?")
        }
        return environment.words
    }

    /// Returns the command or group for which `--help` was given.
    private func helpPath(_ parsed: ParsedCommand) -> [String] {
        if !parsed.path.isEmpty { return parsed.path == ["help"] ? parsed.arguments : parsed.path }
        return parsed.arguments
    }

    private func report(_ failure: SyncFailure) {
        let failure = failure.forCommandLine
        let parsed = try? CommandLineParser(commands: environment.commands).parse(environment.words)
        let repeated = RepeatedOptions(parsed ?? ParsedCommand(), commands: environment.commands)
        guard environment.words.contains("--json") else {
            let text = repeated.applied(to: failure.description)
            environment.errorLine("healthsync: \(UntrustedText.escaped(text))")
            return
        }
        let json = FailureJSON.value(failure, status: ExitStatus(of: failure))
        environment.errorLine(JSONText.line(["error": repeated.applied(to: json)]))
    }
}

extension SyncFailure {
    /// The failure with its action as a command.
    fileprivate var forCommandLine: SyncFailure {
        guard let action else { return self }
        return SyncFailure(code, subject: subject, reason: reason, advice: action.command)
    }
}

extension SyncFailure.Action {
    fileprivate var command: String {
        switch self {
        case .listShoes: "see `healthsync shoes list`"
        case .unarchiveShoe: "restore it with `healthsync shoes unarchive SHOE`"
        case .chooseDefaultShoe: "name one, or choose a default with `healthsync shoes default SHOE`"
        case .startSession: "start one with `healthsync shoes start SHOE`"
        case .endSession: "end it with `healthsync shoes stop`"
        case .endSessionFirst: "end it with `healthsync shoes stop` first"
        case .chooseZone(let candidates):
            "nothing was imported; add your time zone with `--zone ZONE --save`\(Self.suggestion(candidates)), or state it as "
                + "\"zone\" in the configuration"
        }
    }
}
