import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes check`
enum ShoesCheckCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes check", "Put on and take off what goes by itself, by the steps at home",
        discussion: [
            "A day's first steps put the default pair on; shoes.inactivityHours of the configuration without steps take "
                + "it off at the last of them. Every `daily` does this too. What a person said stays as it is."
        ],
        options: [
            .value("days", "N", "Look back this many days", default: "7, or lookBackDays of the configuration")
        ], examples: ["shoes check", "shoes check --days 30"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            let days = engine.recentDays(settings.lookBackDays)
            return ShoeCheckView(
                report: try await engine.checkShoes(on: days),
                names: ShoeNames(try await engine.ports.shoes.shoes()), clock: settings.clock)
        }
        context.show(text: view.lines.isEmpty ? ["nothing to change"] : view.lines, json: view.json)
        return .done
    }
}
