import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token revoke`
enum TokenRevokeCommand: Command {
    static let declaration = CommandDeclaration(
        "token revoke", "Make an access token worthless, within a second",
        arguments: [ArgumentDeclaration("ID", "The token's id, as `token list` shows it")],
        options: [ReceivedStoreLocation.option], examples: ["token revoke 0123456789abcdef"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let id = context.parsed.arguments.first else {
            throw SyncFailure.usage("token revoke", "one id is needed", advice: "see `healthsync token list`")
        }
        let location = try ReceivedStoreLocation.of(context)
        try location.requirePresence(in: context)
        let store = try await context.environment.factory.receiving.tokens(location)
        guard try await store.revoke(id: id, at: context.environment.time.now()) else {
            throw SyncFailure(
                .noInput, subject: id, reason: "there is no such token that is not revoked",
                advice: "see `healthsync token list`")
        }
        context.show(text: ["revoked \(id)"], json: ["revoked": .string(id)])
        return .done
    }
}
