import HealthSyncDomain
import HealthSyncEngine

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
