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
            .value("expires", "DAY", "The last day on which it is good", default: "it does not expire"),
            ReceivedStoreLocation.option,
        ], examples: ["token create", "token create --user anna --scope read --expires 2030-12-31"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let (environment, parsed) = (context.environment, context.parsed)
        guard let user = UserName(parsed.text("user") ?? UserName.local.text) else {
            throw SyncFailure.usage(
                "--user", "this is no user name", advice: "use 1 to 64 of a-z, 0-9, dot, hyphen and underscore")
        }
        let now = environment.time.now()
        let expiry = try parsed.day("expires").map { $0.advanced(by: 1).utcStart }
        if let expiry, expiry <= now {
            throw SyncFailure.usage("--expires", "this day is over", advice: "give a later day")
        }
        let scopes = try scopes(parsed)
        guard let text = AccessTokenText(idBytes: environment.random.bytes(8), secret: environment.random.bytes(32))
        else {
            throw SyncFailure(.unexpected, subject: "token", reason: "no random bytes", advice: "report this")
        }
        let store = try await environment.factory.receiving.tokens(try ReceivedStoreLocation.of(context))
        try await store.add(
            AccessToken(
                id: text.id, secretDigest: environment.factory.receiving.hasher.sha256(text.secret), user: user,
                scopes: scopes, createdAt: now, expiresAt: expiry))
        context.show(
            text: [text.text],
            json: [
                "id": .string(text.id), "token": .string(text.text), "user": .string(user.text),
                "scopes": .array(TokenView.names(scopes).map { .string($0) }),
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
