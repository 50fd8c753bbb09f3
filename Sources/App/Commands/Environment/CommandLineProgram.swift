import HealthSyncDomain

/// The program as a function: from words, variables and ports to results, messages and a status.
package struct CommandLineProgram: Sendable {
    private let environment: CommandEnvironment

    /// The program in `environment`.
    package init(environment: CommandEnvironment) { self.environment = environment }

    /// Runs the command that the words name. Whatever goes wrong is told on standard error in one line, or, with
    /// `--json`, as one JSON object. Cancellation of the calling task ends it with `.interrupted`.
    package func run() async -> ExitStatus {
        do {
            return try await dispatch()
        } catch let failure as SyncFailure {
            report(failure)
            return ExitStatus(of: failure)
        } catch is CancellationError {
            let failure = SyncFailure(
                .cancelled, subject: "", reason: "interrupted; what was done until then is kept",
                advice: "run the same command again to go on")
            report(failure)
            return .interrupted
        } catch {
            report(
                SyncFailure(
                    .unexpected, subject: "\(type(of: error))", reason: "\(error)",
                    advice: "this is a mistake of the program; please report it"))
            return .unexpected
        }
    }

    private func dispatch() async throws -> ExitStatus {
        let parsed = try CommandLineParser(commands: CommandTable.declarations).parse(environment.words)
        let context = try CommandContext(environment: environment, parsed: parsed)
        if parsed.has("version") {
            context.show(
                text: ["healthsync \(environment.version)"], json: ["version": .string(environment.version)])
            return .done
        }
        if parsed.has("help") { return try HelpCommand.show(helpPath(parsed), in: context) }
        guard let command = CommandTable.all.first(where: { $0.declaration.path == parsed.path }) else {
            let advice = parsed.has("json") ? "see `healthsync help`" : "name one of those above"
            if !parsed.has("json") {
                environment.errorLine(HelpText(commands: CommandTable.declarations, width: environment.width).overview)
            }
            throw SyncFailure.usage("", "no command given", advice: advice)
        }
        if let failure = environment.startFailure, parsed.path != ["help"] { throw failure }
        return try await command.run(in: context)
    }

    /// The command or group whose help `--help` asks for.
    private func helpPath(_ parsed: ParsedCommand) -> [String] {
        if !parsed.path.isEmpty { return parsed.path == ["help"] ? parsed.arguments : parsed.path }
        return parsed.arguments
    }

    private func report(_ failure: SyncFailure) {
        guard environment.words.contains("--json") else {
            environment.errorLine("healthsync: \(UntrustedText.escaped(failure.description))")
            return
        }
        let status = ExitStatus(of: failure)
        environment.errorLine(JSONText.line(["error": FailureJSON.value(failure, status: status)]))
    }
}
