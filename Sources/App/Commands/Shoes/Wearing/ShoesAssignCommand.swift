import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes assign`
enum ShoesAssignCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes assign", "Assign hours of a day to a pair of shoes",
        discussion: HourOptions.discussion + [
            "Sessions of other shoes are shortened or split to exclude these hours."
        ],
        arguments: [ShoeChoice.argument], options: HourOptions.options,
        examples: ["shoes assign speedcross 6 --day yesterday --hours 8-11,17"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let today = settings.clock.day(of: context.environment.time.now())
        let (day, hours) = try HourOptions.values(context.parsed, today: today)
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            let shoes = try await engine.shoes.all()
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: shoes)
            return HourAttributionView(
                result: try await engine.shoes.run(.assign(hours, on: day, to: shoe.id)), shoe: shoe.id,
                names: ShoeNames(shoes), clock: settings.clock)
        }
        context.show(text: view.lines, json: view.json)
        return .done
    }
}
