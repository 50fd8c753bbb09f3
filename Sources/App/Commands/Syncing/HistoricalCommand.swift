import HealthSyncDomain
import HealthSyncEngine

/// `healthsync historical`
enum HistoricalCommand: Command {
    static let declaration = CommandDeclaration(
        "historical", "Bring the past up to date, all of it or a stretch",
        discussion: [
            "Like `daily`, for the days from --from to --to, each included; without them for all days that have "
                + "samples. Days whose samples did not change since the last run cost nothing.",
            "Where days outside of --from and --to are out of date, the run says how many and ends with status 3.",
        ],
        options: [
            .value("from", "DAY", "Begin with this day, YYYY-MM-DD", default: "the first day with samples"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last day with samples"),
        ] + SyncOptions.shared,
        examples: [
            "historical --source export.zip", "historical --from 2023-01-01 --to 2023-12-31 --metrics steps,sleep",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let days = try context.parsed.days(from: "from", to: "to")
        return try await SyncRun(context: context, settings: try await context.homeSettings(derives: true)).run(
            .historical, .historical(from: days.first, to: days.last))
    }
}
