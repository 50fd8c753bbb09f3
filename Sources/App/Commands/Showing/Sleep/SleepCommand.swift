import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync sleep`
enum SleepCommand: Command {
    static let declaration = CommandDeclaration(
        "sleep", "Show nights with their stages, averages and naps, or sleep by week, month or year",
        discussion: [
            "A night belongs to the day on which it ends. If several sources recorded a night, the preferred one is "
                + "shown and counted; --all also shows the others. Averages exclude naps, and nights of which only "
                + "time in bed is known.",
            "--by week, month or year shows the average night of each, and compares the last two.",
        ],
        arguments: [ShownDays.daysArgument],
        options: ShownDays.rangeOptions + [
            .value(
                "by", "PERIOD",
                "Show nights, or the average night of weeks (from Monday), months or years: "
                    + "day, week, month, year", default: "day"),
            .flag("all", "Show the sessions of every source"),
        ],
        examples: [
            "sleep", "sleep yesterday --all", "sleep --by month", "sleep --from 2024-01-01 --to 2024-01-31 --json",
        ]
    )

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        if context.parsed.text("by") == ShownDays.Grain.hour.word {
            throw SyncFailure.usage("--by", "sleep has no hours", advice: "use day, week, month or year")
        }
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let view = SleepView(
                overview: SleepOverview(days: shown.days, sessions: try await repository.sleep(days: shown.days)),
                grain: asked.grain, clock: settings.clock,
                latest: try await repository.latestDay(of: .sleep, through: nil))
            context.show(charts: view.lines(context.style, showsAll: context.parsed.has("all")), json: view.json)
            return .done
        }
    }
}
