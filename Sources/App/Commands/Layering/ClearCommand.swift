import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync clear`
enum ClearCommand: Command {
    static let declaration = CommandDeclaration(
        "clear", "Forget the intervals, the steps on the server, or both",
        discussion: [
            "--local forgets every interval and what waits of it: the next `historical` divides and offers everything "
                + "anew, and the server recognises what it has. --server deletes all raw steps on the server that the "
                + "configuration or HEALTHSYNC_SERVER names; it implies that the intervals are forgotten. Samples and "
                + "results at home stay as they are.",
            "On a terminal it asks; elsewhere it needs --yes.",
        ],
        options: [
            .flag("local", "Forget all local intervals"), .flag("server", "Delete all raw steps on the server"),
            .flag("yes", letter: "y", "Do not ask"),
        ], examples: ["clear --server --local", "clear --local --yes"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        guard parsed.has("local") || parsed.has("server") else {
            throw SyncFailure.usage("clear", "needs --local, --server or both", advice: "see `healthsync help clear`")
        }
        let settings = try context.settings()
        if parsed.has("server"), settings.server == nil {
            throw SyncFailure.usage(
                "--server", "no server is configured",
                advice: "name one with HEALTHSYNC_SERVER, or server.url in the configuration")
        }
        try confirm(settings, in: context)
        let isServer = parsed.has("server")
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            // First at home: were it the other way round, a run cut between them would leave intervals marked that the
            // server does not have.
            let count = try await engine.layering.clearAllIntervals()
            if isServer {
                try await engine.forgetVerification()
                try await engine.ports.server?.sender.deleteAllSteps()
            }
            return count
        }
        context.show(
            text: ["\(Figures.count(count, "interval")) forgotten"]
                + (isServer ? ["all steps on \(settings.server?.url ?? "") deleted"] : []),
            json: ["intervals": .count(count), "server": .optional(isServer ? settings.server?.url : nil)])
        return .done
    }

    private static func confirm(_ settings: Settings, in context: CommandContext) throws(SyncFailure) {
        guard !context.parsed.has("yes") else { return }
        let what =
            context.parsed.has("server") ? "Delete all steps on \(settings.server?.url ?? "")" : "Forget all intervals"
        switch context.confirm(what) {
        case true?: return
        case false?:
            throw SyncFailure(
                .cancelled, subject: "clear", reason: "nothing was changed",
                advice: "answer y, or add --yes, to have it done")
        case nil:
            throw .usage("clear", "cannot ask without a terminal", advice: "add --yes")
        }
    }
}
