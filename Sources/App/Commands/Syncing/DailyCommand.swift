import HealthSyncDomain
import HealthSyncEngine

/// `healthsync daily`
enum DailyCommand: Command {
    static let declaration = CommandDeclaration(
        "daily", "Bring today and the days before it up to date",
        discussion: [
            "Reads the sources, keeps their samples, derives the metrics of today and of the days that may still "
                + "change, and delivers what is new. A source that did not change is not read again.",
            "Whatever interrupts it, the next run goes on.",
        ],
        options: [
            .value("days", "N", "Look back this many days", default: "7, or lookBackDays of the configuration")
        ] + SyncOptions.shared,
        examples: ["daily --source ~/Downloads/export.zip", "daily --days 30 --no-push --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings(derives: true)
        return try await SyncRun(context: context, settings: settings).run(
            .daily, .daily(lookBackDays: settings.lookBackDays))
    }
}
