import HealthSyncDomain
import HealthSyncEngine

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
