import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync reset-tracking`
enum ResetTrackingCommand: Command {
    static let declaration = CommandDeclaration(
        "reset-tracking", "Reset the tracking of days, so that the next run derives them again",
        discussion: ["Does not change samples, results or the state of delivery."],
        options: [
            .value("metric", "NAME", "Reset only this metric", default: "all metrics"),
            .value("from", "DAY", "Start with this day, YYYY-MM-DD", default: "the first day"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last day"),
        ], examples: ["reset-tracking --metric sleep", "reset-tracking --from 2024-03-01 --to 2024-03-31"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        let choice = try MetricChoice(
            settings: Self.settings(settings, metric: context.parsed.text("metric")),
            factory: context.environment.factory)
        let metric = context.parsed.has("metric") ? choice.handlers.first?.metric : nil
        let range = try Self.range(context.parsed)
        try context.requireDatabase(of: settings)
        let days = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.resetTracking.run(of: metric, days: range)
        }
        context.show(
            text: ["\(Figures.count(days, "day")) reset, summed over all metrics; the next run derives them again"],
            json: ["metric": metric?.rawValue, "days": days])
        return .done
    }

    /// Returns the days from --from to --to; `nil` for all.
    private static func range(_ parsed: ParsedCommand) throws(SyncFailure) -> DayRange? {
        let (from, to) = try parsed.days(from: "from", to: "to")
        guard from != nil || to != nil, let first = from ?? CalendarDay(year: 1, month: 1, day: 1),
            let last = to ?? CalendarDay(year: 9999, month: 12, day: 31)
        else { return nil }
        return DayRange(first, through: last)
    }

    private static func settings(_ settings: Settings, metric: String?) -> Settings {
        var settings = settings
        if let metric { settings.metrics = [metric] }
        return settings
    }
}
