import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

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
