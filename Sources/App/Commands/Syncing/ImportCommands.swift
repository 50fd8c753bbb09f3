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
    fileprivate static let sourceArgument = ArgumentDeclaration(
        "FILE", "A file, folder or archive to read, like --source", isOptional: true, repeats: true)

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let context = try context.readingArguments()
        let saved = try SavedOptions(context)
        let settings = try await context.localSettings(derives: true)
        return try await SyncRun(context: context, settings: settings, saved: saved, command: .imported).run(
            .historical(from: nil, to: nil))
    }
}

extension CommandContext {
    /// The same with the arguments as sources.
    fileprivate func readingArguments() throws(SyncFailure) -> CommandContext {
        guard !parsed.arguments.isEmpty else { return self }
        var parsed = parsed
        parsed.values["source", default: []] += parsed.arguments
        return try CommandContext(environment: environment, parsed: parsed)
    }
}

/// `healthsync daily`
enum DailyCommand: Command {
    static let declaration = CommandDeclaration(
        "daily", "Update every day whose samples changed",
        discussion: [
            "Imports the sources, derives the metrics of all days whose samples changed since they were last derived, and "
                + "delivers the changes. Does not read unchanged sources again.",
            "Posts of phones that wait in the inbox are imported first, also those on a configured server (inbox.server).",
            "With --days derives only recent days. If older days are then out of date, reports how many and exits with "
                + "status 3.",
            "After an interruption the next run continues.",
        ],
        arguments: [ImportCommand.sourceArgument],
        options: [
            .value(
                "days", "N", "Derive only today and this many days before it",
                default: "lookBackDays of the configuration, or all days"), SavedOptions.option,
        ] + SyncOptions.shared,
        examples: ["daily --source ~/Downloads/export.zip", "daily --days 30 --no-push --json"],
        uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let context = try context.readingArguments()
        let saved = try SavedOptions(context)
        let settings = try await context.localSettings(derives: true)
        return try await SyncRun(context: context, settings: settings, saved: saved).run(
            .daily(lookBackDays: settings.lookBackDays))
    }
}

/// `healthsync historical`
enum HistoricalCommand: Command {
    static let declaration = CommandDeclaration(
        "historical", "Import files and update all days or a range of days",
        discussion: [
            "Works like `daily` on the days from --from to --to inclusive, or on all days with samples. Skips days whose "
                + "samples did not change since the last run.",
            "If days outside the range are out of date, reports how many and exits with status 3.",
        ],
        arguments: [ImportCommand.sourceArgument],
        options: [
            .value("from", "DAY", "Start with this day, YYYY-MM-DD", default: "the first day with samples"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last day with samples"),
            SavedOptions.option,
        ] + SyncOptions.shared,
        examples: [
            "historical export.zip", "historical --from 2023-01-01 --to 2023-12-31 --metrics steps,sleep",
        ], uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let context = try context.readingArguments()
        let saved = try SavedOptions(context)
        let days = try context.parsed.days(from: "from", to: "to")
        let settings = try await context.localSettings(derives: true)
        return try await SyncRun(context: context, settings: settings, saved: saved).run(
            .historical(from: days.first, to: days.last))
    }
}
