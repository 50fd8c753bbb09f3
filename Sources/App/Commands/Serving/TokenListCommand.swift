import HealthSyncDomain
import HealthSyncPorts

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
