import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync dashboard`
enum DashboardCommand: Command {
    static let declaration = CommandDeclaration(
        "dashboard", "Show the stored data in the browser",
        discussion: [
            "Serves pages of the local database on the loopback address until Ctrl-C. May run during other runs. Connects to "
                + "the configured server only when you press a button of the Sync page.",
            "Starts without data, too: drop the export of your phone on the page to import it.",
        ],
        options: [
            .value("port", "PORT", "Listen on this port of 127.0.0.1; 0 selects a free port", default: "8765"),
            .flag("open", "Open the pages in the browser"),
        ],
        examples: ["dashboard --open", "dashboard --port 0"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        try await context.makeDatabase(of: settings)
        let port = UInt16(try context.parsed.integer("port", in: 0...65_535) ?? 8765)
        let reception = InboxReception(address: context.environment.factory.inbox.usualAddress, state: .none)
        try await DashboardProcess(
            context: context, port: port, opensBrowser: context.parsed.has("open"), reception: { reception }
        ).show(settings) { address in
            context.show(text: ["healthsync dashboard at \(address)"], json: ["address": address])
        }
        return .done
    }
}
