import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token create`
enum TokenCreateCommand: Command {
    static let declaration = CommandDeclaration(
        "token create", "Create an access token for a receiving server",
        discussion: [
            "The token is shown only once. As soon as a token exists, the server requires tokens."
        ],
        options: [
            .value(
                "user", "NAME", "Grant access to the records of this user",
                default: "local, the owner of records sent without a token"),
            .value("scope", "NAMES", "Grant these scopes: ingest, read, delete, inbox, admin", default: "ingest,read"),
            .value("expires", "DAY", "Expire after this day (UTC)", default: "never"),
            ReceivedStoreLocation.option,
        ], examples: ["token create", "token create --user anna --scope read --expires 2030-12-31"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let (environment, parsed) = (context.environment, context.parsed)
        guard let user = UserName(parsed.text("user") ?? UserName.local.text) else {
            throw SyncFailure.usage(
                "--user", "invalid user name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        let tokenRequest = AccessTokenRequest(
            user: user, scopes: try scopes(parsed), lastDay: try parsed.day("expires"))
        let receiving = environment.factory.receiving
        let (token, text) = try tokenRequest.issue(
            at: environment.time.now(), dayName: "--expires", random: environment.random.bytes,
            digest: receiving.hasher.sha256)
        try await receiving.tokens(try await ReceivedStoreLocation.of(context)).add(token)
        context.show(
            text: [text.text],
            json: [
                "id": text.id, "token": text.text, "user": user.text,
                "scopes": TokenView.names(token.scopes),
                "expires": token.expiresAt,
            ])
        context.warn("save this token; it is not shown again")
        return .done
    }

    private static func scopes(_ parsed: ParsedCommand) throws(SyncFailure) -> Set<AccessScope> {
        guard let names = try parsed.names("scope") else { return [.ingest, .read] }
        var scopes: Set<AccessScope> = []
        for name in names {
            guard let scope = AccessScope(rawValue: name) else {
                throw .usage(
                    "--scope", "unknown scope \"\(name)\"",
                    advice: "use ingest, read, delete, inbox or admin, separated by commas")
            }
            scopes.insert(scope)
        }
        return scopes
    }
}
