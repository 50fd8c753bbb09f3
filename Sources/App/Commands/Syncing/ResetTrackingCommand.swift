import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync reset-tracking`
enum ResetTrackingCommand: Command {
    static let declaration = CommandDeclaration(
        "reset-tracking", "Forget what days were derived from, so that the next run derives them again",
        discussion: ["Samples, results and what was delivered stay as they are."],
        options: [.value("metric", "NAME", "Of this metric only", default: "all metrics")],
        examples: ["reset-tracking --metric sleep"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let choice = try MetricChoice(
            settings: Self.settings(settings, metric: context.parsed.text("metric")),
            factory: context.environment.factory)
        let metric = context.parsed.has("metric") ? choice.handlers.first?.metric : nil
        let days = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.resetTracking(of: metric)
        }
        context.show(
            text: ["\(Figures.count(days, "day")) forgotten; the next run derives them again"],
            json: ["metric": .optional(metric?.rawValue), "days": .count(days)])
        return .done
    }

    private static func settings(_ settings: Settings, metric: String?) -> Settings {
        var settings = settings
        if let metric { settings.metrics = [metric] }
        return settings
    }
}
