import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes check`
enum ShoesCheckCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes check", "Start and end automatic sessions from the stored steps",
        discussion: [
            "The first steps of a day start a session of the default shoes. It ends at the last step before "
                + "shoes.inactivityHours without steps. Every `daily` does this too. Sessions that you entered do not change."
        ],
        options: [
            .value("days", "N", "Check this many days before today", default: "lookBackDays of the configuration, or 7")
        ], examples: ["shoes check", "shoes check --days 30"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let view = try await context.withEngine(.writing, settings: settings) { engine in
            ShoeCheckView(
                report: try await engine.shoes.check(lookBackDays: settings.lookBackDays),
                names: ShoeNames(try await engine.shoes.all()), clock: settings.clock)
        }
        context.show(text: view.lines.isEmpty ? ["nothing to change"] : view.lines, json: view.json)
        return .done
    }
}
