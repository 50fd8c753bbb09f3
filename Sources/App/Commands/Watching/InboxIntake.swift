import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Imports the posts that wait in the local inbox, after fetching those that wait on a server, for commands that run
/// once.
struct InboxIntake {
    let context: CommandContext
    let settings: Settings
    let factory: WatchFactory

    /// Returns the intake of a program with an inbox; `nil` if the user has none, neither here nor on a server.
    init?(context: CommandContext, settings: Settings) async throws {
        guard let factory = context.environment.factory.watching else { return nil }
        self.context = context
        self.settings = settings
        self.factory = factory
        let hasArchive = try await context.environment.status(of: InboxState.folder(of: settings)) != nil
        guard hasArchive || settings.inboxServer != nil else { return nil }
    }

    /// Pulls from `server`, if there is one, and imports the waiting posts. An import that fails throws; a pull that fails
    /// is reported by the result, because the posts that are here can be imported.
    func run(pullingFrom server: Settings.Server?) async throws -> InboxIntakeView {
        var view = InboxIntakeView()
        if let server, let pulling = context.environment.factory.pulling {
            view.pulled = try await InboxPull(
                server: pulling.server(server, settings), archive: pulling.archive(settings)
            ).run()
        }
        let archive = context.environment.factory.inbox.archive(settings)
        let runs = WatchRuns(context: context, settings: settings, factory: factory)
        while let report = try await runs.importPosts(archive) { view.imported.add(report) }
        return view
    }
}

/// `healthsync import inbox`
enum ImportInboxCommand: Command {
    static let declaration = CommandDeclaration(
        "import inbox", "Import the archived posts of phones again",
        discussion: [
            "Decodes every post in the archive again and imports its samples, for example after the loss of the database or "
                + "an upgrade. Samples that are stored already are not stored twice. Posts that wait are imported too, after "
                + "those on a configured server (inbox.server) were fetched. Sends nothing.",
            "Exits with status 3 if a post could not be decoded.",
        ],
        options: [.value("since", "DAY", "Import only posts that were received on this day or later", default: "all")],
        examples: ["import inbox", "import inbox --since 2026-11-01"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.settings()
        let since = try context.parsed.day("since").map { settings.clock.start(of: $0) }
        guard let intake = try await InboxIntake(context: context, settings: settings) else {
            throw SyncFailure(
                .noInput, subject: InboxState.folder(of: settings), reason: "no post was ever received",
                advice: "receive posts with `healthsync watch --listen HOST:PORT`")
        }
        let archive = context.environment.factory.inbox.archive(settings)
        for entry in try await archive.entries(limit: .max)
        where entry.state != .waiting && since.map({ entry.head.receivedAt >= $0 }) ?? true {
            try await archive.retry(entry.id)
        }
        let view = try await intake.run(pullingFrom: settings.inboxServer)
        context.report(text: view.lines, json: view.json, status: view.status)
        return view.status
    }
}

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
