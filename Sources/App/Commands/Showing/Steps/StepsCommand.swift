import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync steps`
enum StepsCommand: Command {
    static let declaration = CommandDeclaration(
        "steps", "Show steps by hours, days, weeks, months or years",
        discussion: [
            "Steps are merged over the devices that counted them; --origins shows what each of them alone would have "
                + "said. Of a week, month or year only the days within the stretch count."
        ],
        arguments: [ShownDays.dayArgument],
        options: ShownDays.rangeOptions + [
            ShownDays.grainOption, .flag("origins", "Show what each source alone would have said"),
        ],
        examples: ["steps", "steps yesterday", "steps --last 3mo --by week --origins", "steps --by year --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let shown = try ShownDays(
            context.parsed, today: settings.clock.day(of: context.environment.time.now()))
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.ports.repository
            let progress = try await repository.figures(
                of: .steps, days: shown.days, withHours: shown.grain == .hour)
            let view = StepsView(
                overview: StepsOverview(days: shown.days, progress: progress), grain: shown.grain,
                clock: settings.clock, latest: try await repository.latestDay(of: .steps, through: nil))
            context.show(
                charts: view.lines(context.style, showsOrigins: context.parsed.has("origins")), json: view.json)
            return .done
        }
    }
}
