import HealthSyncDomain
import HealthSyncPorts

/// `healthsync token create`
enum TokenCreateCommand: Command {
    static let declaration = CommandDeclaration(
        "token create", "Create an access token for a receiving server",
        discussion: [
            "The token is shown only once, or written to the file of --out, which only you may read (0600). As soon as "
                + "a token exists, the server requires tokens."
        ],
        options: [
            .value(
                "user", "NAME", "Grant access to the records of this user",
                default: "local, the owner of records sent without a token"),
            .value(
                "scope", "NAMES", "Grant these scopes: ingest, read, delete, inbox, admin",
                default: "ingest,read,delete"),
            .value("name", "NAME", "Give it this name in the list of tokens", default: "none"),
            .value("out", "FILE", "Write the token to this new file instead of showing it"),
            .value("expires", "DAY", "Expire after this day (UTC)", default: "never"),
            ReceivedStoreLocation.option,
        ],
        examples: [
            "token create --name laptop --out ~/health-token",
            "token create --user anna --scope read --expires 2030-12-31",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let (environment, parsed) = (context.environment, context.parsed)
        guard let user = UserName(parsed.text("user") ?? UserName.local.text) else {
            throw SyncFailure.usage(
                "--user", "invalid user name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        var tokenRequest = AccessTokenRequest(
            user: user, scopes: try scopes(parsed), lastDay: try parsed.day("expires"))
        tokenRequest.name = try name(parsed)
        let receiving = environment.factory.receiving
        let (token, text) = try tokenRequest.issue(
            at: environment.time.now(), dayName: "--expires", random: environment.random.bytes,
            digest: receiving.hasher.sha256)
        let store = try await receiving.tokens(try await ReceivedStoreLocation.of(context))
        let file = try write(text.text, in: context)
        try await store.add(token)
        context.show(
            text: [file.map { "token \(text.id) written to \($0)" } ?? text.text],
            json: [
                "id": text.id, "token": file == nil ? text.text : nil, "file": file, "user": user.text,
                "name": token.name?.text,
                "scopes": TokenView.names(token.scopes),
                "expires": token.expiresAt,
            ])
        if file == nil {
            context.warn(
                "it is not shown again; save it in a file that only you may read, which --token-file names (--out FILE writes one)"
            )
        }
        return .done
    }

    private static func name(_ parsed: ParsedCommand) throws(SyncFailure) -> TokenName? {
        guard let text = parsed.text("name") else { return nil }
        guard let name = TokenName(text) else { throw .usage("--name", "not a valid name", advice: TokenName.advice) }
        return name
    }

    /// Writes the token to the file of `--out` and returns its path; `nil` without the option. The file is written before
    /// the token is stored, so that no token exists that the user does not have.
    private static func write(_ token: String, in context: CommandContext) throws(SyncFailure) -> String? {
        guard let out = context.parsed.text("out") else { return nil }
        let environment = context.environment
        let path = PathResolver(home: environment.variables["HOME"]).absolute(out, from: environment.workingDirectory)
        guard try environment.files.makePrivateFile(path, Array((token + "\n").utf8)) else {
            throw FileFailure.exists(path)
        }
        return path
    }

    private static func scopes(_ parsed: ParsedCommand) throws(SyncFailure) -> Set<AccessScope> {
        guard let names = try parsed.names("scope") else { return AccessScope.ofClients }
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

/// `healthsync token list`
enum TokenListCommand: Command {
    static let declaration = CommandDeclaration(
        "token list", "List the access tokens of a receiving server", options: [ReceivedStoreLocation.option])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let location = try await ReceivedStoreLocation.of(context)
        try location.requireStore(in: context)
        let store = try await context.environment.factory.receiving.tokens(location)
        let now = context.environment.time.now()
        let tokens = try await store.tokens()
        var table = TextTable(heads: [
            ("id", .left), ("name", .left), ("user", .left), ("scopes", .left), ("state", .left), ("expires", .left),
            ("last used", .left),
        ])
        let clock = try await context.settings().clock
        for token in tokens {
            table.add(
                [
                    token.id, token.name?.text ?? "-", token.user.text, TokenView.permissions(of: token),
                    token.state(at: now).rawValue,
                    token.expiresAt.map { Figures.wallClock($0, clock) } ?? "-",
                    token.lastUsedAt.map { Figures.wallClock($0, clock) } ?? "-",
                ], colors: [4: token.isValid(at: now) ? .good : .quiet])
        }
        context.show(
            charts: tokens.isEmpty ? ["no tokens"] : table.lines(fitting: context.style),
            json: ["tokens": tokens.map { TokenView.json($0, at: now) }])
        return .done
    }
}

/// An access token without its secret.
private enum TokenView {
    /// Returns the names of scopes, in order of declaration.
    static func names(_ scopes: Set<AccessScope>) -> [String] {
        AccessScope.allCases.filter(scopes.contains).map(\.rawValue)
    }

    /// Returns what a token permits, as text.
    static func permissions(of token: AccessToken) -> String {
        token.device.map { "phone \($0.text)" } ?? names(token.scopes).joined(separator: ",")
    }

    static func json(_ token: AccessToken, at now: Instant) -> JSONValue {
        [
            "id": token.id, "name": token.name?.text, "user": token.user.text,
            "device": token.device?.text, "scopes": names(token.scopes), "state": token.state(at: now).rawValue,
            "created": token.createdAt, "expires": token.expiresAt, "lastUsed": token.lastUsedAt,
            "revoked": token.revokedAt,
        ]
    }
}

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
