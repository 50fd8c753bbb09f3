import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync heart`
enum HeartCommand: Command {
    static let declaration = CommandDeclaration(
        "heart", "Show resting heart rate, range and mean",
        discussion: [
            "The resting heart rate is the one that the device reports, over several days the mean of the days. The mean is "
                + "weighted by time: a measurement counts until the next one, at most for heartRate.holdMinutes.",
            "Over two years or more, such as --by year, the resting heart rate is also stated as falling or rising.",
        ],
        arguments: [ShownDays.daysArgument], options: ShownDays.rangeOptions + [ShownDays.grainOption],
        examples: ["heart", "heart today", "heart --last 1y --by month", "heart --by year"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let asked = try ShownDays(context.parsed, today: today)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            let shown = asked.limited(to: try await repository.recordedDays(), today: today)
            let rates = try await repository.figures(
                of: .heartRate, days: shown.days, withHours: shown.grain == .hour)
            let resting = try await repository.dailyFigures(of: .restingHeartRate, days: shown.days)
            let latest = [
                try await repository.latestDay(of: .heartRate, through: nil),
                try await repository.latestDay(of: .restingHeartRate, through: nil),
            ]
            let view = HeartView(
                overview: HeartOverview(days: shown.days, progress: rates + resting), grain: shown.grain,
                clock: settings.clock, latest: latest.compactMap { $0 }.max())
            context.show(charts: view.lines(context.style), json: view.json)
            return .done
        }
    }
}
