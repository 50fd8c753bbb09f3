import HealthSyncDomain
import HealthSyncPorts

/// The answers to the questions of `init`, from options or from the terminal.
struct InitAnswers {
    /// The command line with an option for each answer.
    private(set) var parsed: ParsedCommand
    /// The settings that result from the answers.
    private(set) var settings: Settings
    private let context: CommandContext

    /// Returns the answers. Throws `.usage` if a question has no answer, and the error of an invalid option.
    static func of(_ context: CommandContext) async throws -> InitAnswers {
        var answers = InitAnswers(
            parsed: context.parsed, settings: try await settings(context.parsed, context), context: context)
        try await answers.ask(
            "zone", "Time zone of your days", default: context.environment.time.systemZoneName())
        try await answers.ask("source", "File or folder with your health data, empty for none yet")
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
        if let server = settings.server {
            var server: [(key: String, value: String)] = [("url", server.url)]
            if let token = parsed.text("token-file") { server.append(("tokenFile", absolute(token))) }
            members.append(("server", .object(of: server)))
        }
        return .object(of: members)
    }

    private func absolute(_ path: String) -> String {
        PathResolver(home: context.environment.variables["HOME"])
            .absolute(path, from: context.environment.workingDirectory)
    }

    /// Asks for the value of an option, unless it was given, until the answer is valid. An empty answer means `usual`, and
    /// no value if that is empty.
    private mutating func ask(_ option: String, _ question: String, default usual: String = "") async throws {
        guard !parsed.has(option) else { return }
        let prompt = UntrustedText.escaped(question + (usual.isEmpty ? ": " : " [\(usual)]: "))
        while true {
            var text = usual
            if !parsed.has("yes") {
                let line = try await BlockingWork.run("healthsync.question") { [environment = context.environment] _ in
                    environment.ask(prompt)
                }
                guard let line else {
                    throw SyncFailure.usage(
                        "init", "no answer to the question for --\(option), because standard input is not a terminal",
                        advice: "add --yes to accept the defaults, or give the option")
                }
                if !line.withoutOuterSpaces.isEmpty { text = line.withoutOuterSpaces }
            }
            guard !text.isEmpty else { return }
            var answered = parsed
            answered.values[option] = [text]
            do {
                settings = try await Self.settings(answered, context)
                parsed = answered
                return
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
