import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync journal`
enum JournalCommand: Command {
    static let declaration = CommandDeclaration(
        "journal", "Show steps, distance and shoes of a day by hour",
        discussion: [
            "Shoes that were worn for part of an hour are listed below it, with the steps of that part. `shoes assign "
                + "--hours` accepts the names of hours shown here."
        ],
        arguments: [ShownDays.dayArgument], examples: ["journal", "journal yesterday", "journal 2024-01-15 --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try DayText.day(context.parsed.arguments.first ?? "today", today: today)
        let found = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.shoes.journal(of: day)
        }
        let view = JournalView(
            journal: found.journal, names: ShoeNames(found.shoes), clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}
