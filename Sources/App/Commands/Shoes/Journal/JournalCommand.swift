import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync journal`
enum JournalCommand: Command {
    static let declaration = CommandDeclaration(
        "journal", "Show a day by hours: steps, distance, and in which shoes",
        discussion: [
            "Where shoes were worn for part of an hour that part stands below the hour, with what was walked in it. The "
                + "hours have the names that `shoes assign --hours` takes."
        ],
        arguments: [ShownDays.dayArgument], examples: ["journal", "journal yesterday", "journal 2024-01-15 --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try DayText.day(context.parsed.arguments.first ?? "today", today: today)
        let found = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.journal(of: day)
        }
        let view = JournalView(
            journal: found.journal, names: ShoeNames(found.shoes), clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}
