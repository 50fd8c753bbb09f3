import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token revoke`
enum TokenRevokeCommand: Command {
    static let declaration = CommandDeclaration(
        "token revoke", "Revoke an access token",
        discussion: ["Takes effect within a second."],
        arguments: [ArgumentDeclaration("ID", "The id of the token, from `token list`")],
        options: [ReceivedStoreLocation.option], examples: ["token revoke 0123456789abcdef"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let id = context.parsed.arguments.first else {
            throw SyncFailure.usage("token revoke", "requires exactly one id", advice: "see `healthsync token list`")
        }
        let location = try await ReceivedStoreLocation.of(context)
        try location.requireStore(in: context)
        let store = try await context.environment.factory.receiving.tokens(location)
        guard try await store.revoke(id: id, at: context.environment.time.now()) else {
            throw SyncFailure(
                .noInput, subject: id, reason: "no such token, or already revoked",
                advice: "see `healthsync token list`")
        }
        context.show(text: ["revoked \(id)"], json: ["revoked": id])
        return .done
    }
}
