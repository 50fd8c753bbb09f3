import HealthSyncDomain
import HealthSyncEngine

/// `healthsync watch`
enum WatchCommand: Command {
    static let declaration = CommandDeclaration(
        "watch", "Import posts of phones and changed files as they arrive",
        discussion: [
            "Runs until Ctrl-C or SIGTERM. Imports every source and every folder of --source when its files change, and "
                + "all of them once a day; derives the days that changed; and delivers records, with pauses while the "
                + "server is unreachable.",
            "With --listen receives what phone apps send. Each phone needs a token from `healthsync pair NAME`. A post is stored "
                + "before it is answered. A socket that systemd passes (LISTEN_FDS) is used instead of the address.",
            "With --pull fetches the posts that phones sent to a `healthsync serve`, as they arrive there.",
            "With --json prints one JSON object for each event. Other commands may run at the same time.",
        ],
        options: WatchOptions.declarations,
        examples: [
            "watch --source ~/Sync/health --dashboard", "watch --listen 0.0.0.0:8000 --lan",
            "watch --listen 127.0.0.1:8000 --json",
        ], uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let options = try WatchOptions(context.parsed)
        let settings = try await context.settings()
        try settings.requireSomethingToKeep()
        guard let factory = context.environment.factory.watching else {
            throw SyncFailure.usage("watch", "not available in this program", advice: "use `healthsync daily`")
        }
        if context.parsed.has("pull"), settings.inboxServer == nil {
            throw SyncFailure.usage("--pull", "no server is configured", advice: "write --pull https://HOST")
        }
        if options.inbox == nil, settings.sources.isEmpty, settings.inboxServer == nil {
            throw SyncFailure.usage(
                "watch", "there is nothing to watch",
                advice:
                    "name files or folders with --source, receive posts with --listen HOST:PORT, or fetch them with "
                    + "--pull URL")
        }
        let runs = WatchRuns(context: context, settings: settings, factory: factory)
        let reception = WatchReception(options, context.environment.factory.inbox)
        try await WatchProcess(context: context, options: options, runs: runs, reception: reception).run()
        return .done
    }
}
