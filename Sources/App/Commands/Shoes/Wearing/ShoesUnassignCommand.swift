import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes unassign`
enum ShoesUnassignCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes unassign", "Remove hours of a day from all sessions",
        discussion: HourOptions.discussion, options: HourOptions.options,
        examples: ["shoes unassign --day 2024-10-27 --hours 2a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let (day, hours) = try HourOptions.values(context.parsed, today: today)
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            HourAttributionView(
                result: try await engine.shoes.run(.unassign(hours, on: day)), shoe: nil,
                names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        context.show(text: view.lines, json: view.json)
        return .done
    }
}
