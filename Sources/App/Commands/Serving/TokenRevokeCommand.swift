import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token revoke`
enum TokenRevokeCommand: Command {
    static let declaration = CommandDeclaration(
        "token revoke", "Revoke an access token",
        discussion: ["Takes effect within a second."],
        arguments: [ArgumentDeclaration("TOKEN", "The name or the id of a token, from `token list`")],
        options: [ReceivedStoreLocation.option], examples: ["token revoke 0123456789abcdef", "token revoke laptop"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let named = context.parsed.arguments.first else {
            throw SyncFailure.usage(
                "token revoke", "requires exactly one id or name", advice: "see `healthsync token list`")
        }
        let location = try await ReceivedStoreLocation.of(context)
        try location.requireStore(in: context)
        let store = try await context.environment.factory.receiving.tokens(location)
        let now = context.environment.time.now()
        let id = try Self.id(named, among: try await store.tokens(), at: now)
        guard try await store.revoke(id: id, at: now) else {
            throw SyncFailure(
                .noInput, subject: id, reason: "no such token, or already revoked",
                advice: "see `healthsync token list`")
        }
        context.show(text: ["revoked \(id)"], json: ["revoked": id])
        return .done
    }

    /// Returns the id of the token with the id or name `text`; `text` if no token has it. Throws `.usage` if several tokens
    /// that can be used have that name.
    private static func id(_ text: String, among tokens: [AccessToken], at now: Instant) throws(SyncFailure) -> String {
        if tokens.contains(where: { $0.id == text }) { return text }
        let ids = tokens.filter { $0.name?.text == text && $0.isValid(at: now) }.map(\.id)
        guard ids.count < 2 else {
            throw .usage(
                "TOKEN", "\(ids.count) tokens are named \"\(text)\"",
                advice: "use an id: \(ids.joined(separator: ", "))")
        }
        return ids.first ?? text
    }
}
