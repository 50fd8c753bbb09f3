import HealthSyncDomain
import HealthSyncPorts

/// `healthsync inbox show`
enum InboxShowCommand: Command {
    static let declaration = CommandDeclaration(
        "inbox show", "Show what became of a post, without its health values",
        arguments: [ArgumentDeclaration("ID", "The id of the post, from `inbox list`")],
        examples: ["inbox show 20261122T221839123-0000-1f3a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let id = context.parsed.arguments.first else {
            throw SyncFailure.usage("inbox show", "requires exactly one id", advice: "see `healthsync inbox list`")
        }
        let settings = try await context.settings()
        let archive = context.environment.factory.inbox.archive(settings)
        let entry = try await archive.entry(id)
        if let damage = entry.damage { throw damage }
        let view = InboxEntryView(entry: entry, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return .done
    }
}
