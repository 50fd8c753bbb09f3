import Foundation
import HealthSyncDomain
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
