import HealthSyncDomain
import HealthSyncEngine

/// `healthsync daily`
enum DailyCommand: Command {
    static let declaration = CommandDeclaration(
        "daily", "Bring every day whose samples changed up to date",
        discussion: [
            "Reads the sources, keeps their samples, derives the metrics of every day whose samples changed since it was "
                + "last derived, however long ago it is, and delivers what is new. A source that did not change is not "
                + "read again.",
            "With --days only recent days are derived; where older ones are out of date then, the run says how many "
                + "they are and ends with status 3.",
            "Whatever interrupts it, the next run goes on.",
        ],
        options: [
            .value(
                "days", "N", "Derive today and this many days before it only",
                default: "no bound, or lookBackDays of the configuration")
        ] + SyncOptions.shared,
        examples: ["daily --source ~/Downloads/export.zip", "daily --days 30 --no-push --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings(derives: true)
        return try await SyncRun(context: context, settings: settings).run(
            .daily, .daily(lookBackDays: settings.lookBackDays))
    }
}
