import HealthSyncDomain
import HealthSyncEngine

/// `healthsync import`
enum ImportCommand: Command {
    static let declaration = CommandDeclaration(
        "import", "Import files with health data and update all days",
        discussion: [
            "Reads the files, folders and archives, derives all days whose samples changed, and delivers the changes. "
                + "A file without a command does the same. Without a file it reads the configured sources. `import inbox` imports "
                + "the posts of phones again.",
            "`daily` imports the configured sources, too, and is the command for every day; `historical` does the same as "
                + "`import` and can be limited to a range of days.",
        ],
        arguments: [sourceArgument],
        options: [SavedOptions.option] + SyncOptions.shared,
        examples: ["import export.zip", "import ~/Downloads/export.zip --zone Europe/Paris --save"],
        uses: [.sources, .server])

    /// The files of `import`, `daily` and `historical`.
    static let sourceArgument = ArgumentDeclaration(
        "FILE", "A file, folder or archive to read, like --source", isOptional: true, repeats: true)

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let context = try context.readingArguments()
        let saved = try SavedOptions(context)
        let settings = try await context.localSettings(derives: true)
        return try await SyncRun(context: context, settings: settings, saved: saved).run(
            .historical(from: nil, to: nil))
    }
}

extension CommandContext {
    /// The same with the arguments as sources.
    func readingArguments() throws(SyncFailure) -> CommandContext {
        guard !parsed.arguments.isEmpty else { return self }
        var parsed = parsed
        parsed.values["source", default: []] += parsed.arguments
        return try CommandContext(environment: environment, parsed: parsed)
    }
}
