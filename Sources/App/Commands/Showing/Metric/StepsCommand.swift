import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync steps`
enum StepsCommand: Command {
    static let declaration = CommandDeclaration(
        "steps", "Show steps by hour, day, week, month or year",
        discussion: [
            "Steps are merged over the devices that counted them; --origins adds the figures of each device alone. A "
                + "week, month or year contains only its selected days. The totals name the day with the most steps, and the "
                + "weekday and the hour with the largest average."
        ],
        arguments: [ShownDays.daysArgument], options: ShownDays.rangeOptions + ShownDays.seriesOptions,
        examples: ["steps", "steps yesterday", "steps --last 3mo --by week --origins", "steps --by year --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let progress = try await repository.figures(of: .steps, days: shown.days, withHours: true)
            let definition = MetricDefinition(.steps, unit: "count", kind: .sum)
            let view = MetricView(
                series: MetricSeries(of: definition, days: shown.days, progress: progress, today: today),
                grain: shown.grain,
                clock: settings.clock, latest: try await repository.latestDay(of: .steps, through: nil))
            context.show(
                charts: view.lines(context.style, showsOrigins: context.parsed.has("origins")), json: view.stepsJSON)
            return .done
        }
    }
}
