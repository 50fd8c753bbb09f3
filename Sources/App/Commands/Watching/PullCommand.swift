import HealthSyncDomain
import HealthSyncEngine

/// `healthsync pull`
enum PullCommand: Command {
    static let declaration = CommandDeclaration(
        "pull", "Fetch posts of phones that wait on a server, and import them",
        discussion: [
            "For phones that deliver to a `healthsync serve` on the internet. Posts wait there until this machine has archived "
                + "them; then the server deletes them. After an interruption the next pull continues. `healthsync watch --pull` "
                + "does this all the time.",
            "Fetches from the server of --server, else from inbox.server or server.url of the configuration. Needs a token "
                + "with the scope inbox. Exits with status 3 if the server cannot be reached or a post could not be decoded.",
        ],
        examples: ["pull", "pull --server https://health.example.org --token-file inbox-token"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        var settings = try await context.settings()
        try settings.requireSomethingToKeep()
        let stated = context.parsed.has("server") ? settings.server : settings.inboxServer ?? settings.server
        guard let server = stated else {
            throw SyncFailure.usage(
                "pull", "no server is configured", advice: "name one with --server URL, or as inbox.server")
        }
        settings.inboxServer = server
        guard let intake = try await InboxIntake(context: context, settings: settings) else {
            throw SyncFailure.usage("pull", "not available in this program", advice: "use the program healthsync")
        }
        let view = try await intake.run(pullingFrom: server)
        context.report(text: view.lines, json: view.json, status: view.status)
        return view.status
    }
}
