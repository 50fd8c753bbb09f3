import HealthSyncDomain
import HealthSyncPorts

/// The viewer's own access tokens. A viewer whose token has the scope `admin` can create and revoke tokens.
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
        let own = all.filter { $0.user == viewer.user }
        let ranked = own.filter { $0.isValid(at: context.now) } + own.filter { !$0.isValid(at: context.now) }.reversed()
        let mayChange = viewer.scopes.contains(.admin)
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
                [.tag("h2", [], "Tokens of \(viewer.user.text)")]
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
                .tag("p", [.class("quiet")], "To create or revoke tokens, log in with a token with the scope admin."))
        }
        return parts
    }
}
