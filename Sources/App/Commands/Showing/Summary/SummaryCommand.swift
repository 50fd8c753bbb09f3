import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync summary`
enum SummaryCommand: Command {
    static let declaration = CommandDeclaration(
        "summary", "Show the latest figures of every metric, or all of one day",
        arguments: [ShownDays.dayArgument], examples: ["summary", "summary 2024-01-15", "summary yesterday --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try context.parsed.arguments.first.map { text throws(SyncFailure) in
            try DayText.day(text, today: today)
        }
        let catalog = MetricCatalog(settings, factory: context.environment.factory)
        return try await context.withEngine(.reading, settings: settings) { engine in
            let repository = engine.records
            if let day {
                let record = try await DayRecord(of: day, in: repository)
                let view = DayView(record: record, clock: settings.clock, catalog: catalog)
                context.show(charts: view.lines(context.style), json: view.json)
            } else {
                let summary = try await repository.summary(today: today)
                let freshness = try await repository.freshness(today: today)
                let view = LatestView(
                    summary: summary, clock: settings.clock, catalog: catalog, freshness: freshness)
                context.show(charts: view.lines(context.style), json: view.json)
            }
            return .done
        }
    }
}
