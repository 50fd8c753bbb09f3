import HealthSyncEngine
import HealthSyncPorts

/// `healthsync status`
enum StatusCommand: Command {
    static let declaration = CommandDeclaration(
        "status", "Show stored data, pending items and the last runs",
        discussion: ["Changes and sends nothing; can be used during another run."])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings(showsState: true)
        if try await context.environment.status(of: settings.databasePath) == nil,
            let inbox = try await InboxState.read(settings, in: context.environment)
        {
            let view = StatusBeforeImportView(databasePath: settings.databasePath, inbox: inbox)
            context.show(charts: view.lines(context.style), json: view.json)
            return .done
        }
        let report = try await context.withEngine(.reading, settings: settings) { try await $0.status.run() }
        let view = StatusView(
            report: report, databasePath: settings.databasePath, clock: settings.clock,
            inbox: try await InboxState.read(settings, in: context.environment))
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}
