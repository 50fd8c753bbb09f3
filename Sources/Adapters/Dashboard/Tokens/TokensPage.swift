import HealthSyncDomain
import HealthSyncPorts

/// The viewer's own access tokens. A viewer whose token has the scope `admin` sees all of them, and can create and revoke
/// tokens; any other viewer sees the token of the login only.
struct TokensPage: Page {
    static let address = "/view/tokens"
    let name = "Tokens"
    let tokens: any AccessTokenStore
    /// Whether the server receives posts of phones.
    let receivesPosts: Bool

    private static let mostShown = 100

    func content(_ context: PageContext) async throws -> [Markup] {
        let viewer = context.request.viewer
        let all = try await tokens.tokens()
        let mayChange = viewer.scopes.contains(.admin)
        let own = all.filter { $0.user == viewer.user && (mayChange || $0.id == viewer.tokenID) }
        let ranked = own.filter { $0.isValid(at: context.now) } + own.filter { !$0.isValid(at: context.now) }.reversed()
        let list = TokenTable(
            tokens: Array(ranked.prefix(Self.mostShown)), viewer: viewer, mayRevoke: mayChange, context: context)
        var parts: [Markup] = []
        if all.isEmpty {
            parts.append(
                .tag(
                    "p", [.class("notice")],
                    "This server has no tokens and requires none on this machine. Once one exists, tokens are required."
                ))
        }
        parts.append(
            .tag(
                "section", [.class("card")],
                [.tag("h2", [], .text(mayChange ? "Tokens of \(viewer.user.text)" : "Your token"))]
                    + (own.isEmpty ? [.tag("p", [], "No tokens.")] : [list.markup])
                    + (own.count > Self.mostShown
                        ? [.tag("p", [.class("quiet")], "\(own.count - Self.mostShown) older tokens are not shown.")]
                        : [])
            ))
        if mayChange {
            parts.append(NewTokenForm(context: context).markup)
            if receivesPosts { parts.append(PairPhoneForm(context: context).markup) }
        } else {
            parts.append(
                .tag(
                    "p", [.class("quiet")],
                    "To list, create or revoke your tokens, log in with a token with the scope admin."))
        }
        return parts
    }
}
