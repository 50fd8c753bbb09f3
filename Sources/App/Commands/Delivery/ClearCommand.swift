import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync clear`
enum ClearCommand: Command {
    static let declaration = CommandDeclaration(
        "clear", "Delete the local intervals, the steps on the server, or both",
        discussion: [
            "--local deletes all intervals and their entries in the outbox. The next `historical` creates and sends them "
                + "again, and the server recognizes the samples it already has. --remote deletes all raw steps on the server of "
                + "--server or the configuration, and implies --local. Local samples and results do not change.",
            "Asks for confirmation on a terminal. Otherwise --yes is required.",
        ],
        options: [
            .flag("local", "Delete all local intervals"), .flag("remote", "Delete all raw steps on the server"),
            .flag("yes", letter: "y", "Do not ask for confirmation"),
        ], examples: ["clear --remote --local", "clear --local --yes"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        guard parsed.has("local") || parsed.has("remote") else {
            throw SyncFailure.usage(
                "clear", "missing option", advice: "use --local, --remote or both; see `healthsync help clear`")
        }
        let settings = try await context.settings()
        let isServer = parsed.has("remote")
        if isServer, settings.server == nil { throw SyncFailure.noServer }
        try context.requireDatabase(of: settings)
        try await context.confirm(
            isServer ? "Delete all steps on \(settings.server?.url ?? "")" : "Delete all intervals")
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.clearIntervals.run(onServer: isServer)
        }
        context.show(
            text: ["\(Figures.count(count, "interval")) deleted"]
                + (isServer ? ["all steps on \(settings.server?.url ?? "") deleted"] : []),
            json: ["intervals": count, "server": isServer ? settings.server?.url : nil])
        return .done
    }
}
