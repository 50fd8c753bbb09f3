import HealthSyncDomain
import HealthSyncPorts

/// `healthsync inbox retry`
enum InboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "inbox retry", "Decode posts again",
        discussion: [
            "For posts that could not be decoded, after an upgrade. Decoding a post twice stores nothing twice."
        ],
        arguments: [
            ArgumentDeclaration("ID", "The posts; without it all undecoded ones", isOptional: true, repeats: true)
        ],
        examples: ["inbox retry", "inbox retry 20261122T221839123-0000-1f3a"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let archive = context.environment.factory.inbox.archive(try await context.settings())
        var ids = context.parsed.arguments
        if ids.isEmpty {
            ids = try await archive.entries(limit: .max).filter { $0.state == .undecoded }.map(\.id)
        }
        for id in ids { try await archive.retry(id) }
        let verb = ids.count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(ids.count, "post")) \(verb) to be decoded"], json: ["retried": ids.count])
        return .done
    }
}
