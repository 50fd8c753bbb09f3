import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync summary`
enum SummaryCommand: Command {
    static let declaration = CommandDeclaration(
        "summary", "Show the latest steps, heart rate and sleep, or all of one day",
        arguments: [
            ArgumentDeclaration("DAY", "A day, YYYY-MM-DD, or \"today\" or \"yesterday\"", isOptional: true)
        ], examples: ["summary", "summary 2024-01-15", "summary yesterday --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let today = settings.clock.day(of: context.environment.time.now())
        let day = try context.parsed.arguments.first.map { text throws(SyncFailure) in
            try Self.day(text, today: today)
        }
        return try await context.withEngine(.reading, settings: settings) { engine in
            let reader = SummaryReader(repository: engine.ports.repository)
            if let day {
                let view = DayView(record: try await reader.record(of: day))
                context.show(text: view.lines, json: view.json)
            } else {
                let view = LatestView(latest: try await reader.latest())
                context.show(text: view.lines, json: view.json)
            }
            return .done
        }
    }

    private static func day(_ text: String, today: CalendarDay) throws(SyncFailure) -> CalendarDay {
        switch text {
        case "today": return today
        case "yesterday": return today.advanced(by: -1)
        default:
            guard let day = CalendarDay(text) else {
                throw .usage(
                    "DAY", "\"\(text)\" is not a day of the calendar",
                    advice: "write it as YYYY-MM-DD, or \"today\" or \"yesterday\"")
            }
            return day
        }
    }
}
