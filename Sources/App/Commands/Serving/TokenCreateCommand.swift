import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token create`
enum TokenCreateCommand: Command {
    static let declaration = CommandDeclaration(
        "token create", "Make an access token for a receiving server",
        discussion: [
            "The token is shown this once and cannot be shown again. From the first one on the server asks for tokens."
        ],
        options: [
            .value("user", "NAME", "Whose records it opens", default: "local, who also owns what came without token"),
            .value("scope", "NAMES", "What it allows: ingest, read, delete, admin", default: "ingest,read"),
            .value("expires", "DAY", "The last day (UTC) on which it is good", default: "it does not expire"),
            ReceivedStoreLocation.option,
        ], examples: ["token create", "token create --user anna --scope read --expires 2030-12-31"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let (environment, parsed) = (context.environment, context.parsed)
        guard let user = UserName(parsed.text("user") ?? UserName.local.text) else {
            throw SyncFailure.usage(
                "--user", "this is no user name", advice: "use 1 to 64 of a-z, 0-9, dot, hyphen and underscore")
        }
        let order = AccessTokenOrder(user: user, scopes: try scopes(parsed), lastDay: try parsed.day("expires"))
        let receiving = environment.factory.receiving
        let (token, text) = try order.fill(
            at: environment.time.now(), dayName: "--expires", random: environment.random.bytes,
            digest: receiving.hasher.sha256)
        try await receiving.tokens(try ReceivedStoreLocation.of(context)).add(token)
        context.show(
            text: [text.text],
            json: [
                "id": .string(text.id), "token": .string(text.text), "user": .string(user.text),
                "scopes": .array(TokenView.names(token.scopes).map { .string($0) }),
                "expires": .optional(token.expiresAt.map { RFC3339.string($0) }),
            ])
        context.warn("keep this token; it is not shown again")
        return .done
    }

    private static func scopes(_ parsed: ParsedCommand) throws(SyncFailure) -> Set<AccessScope> {
        guard let names = try parsed.names("scope") else { return [.ingest, .read] }
        var scopes: Set<AccessScope> = []
        for name in names {
            guard let scope = AccessScope(rawValue: name) else {
                throw .usage(
                    "--scope", "\"\(name)\" is no scope", advice: "use ingest, read, delete and admin, with commas")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}
