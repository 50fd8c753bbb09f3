import HealthSyncDomain
import HealthSyncPorts

/// Revokes a token of the viewer after a second confirmation.
struct RevokeToken: PageAction {
    static let address = "/view/tokens/revoke"
    let tokens: any AccessTokenStore
    let time: any TimeSource

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: TokensPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        try request.viewer.requireAdmin()
        guard let id = request.fields("id").first, let token = try await tokens.token(id: id),
            token.user == request.viewer.user
        else {
            throw SyncFailure(
                .usage, subject: "revoke", reason: "no such token", advice: "choose one from the list of tokens")
        }
        guard request.fields("confirmed") == [token.id] else {
            let further = try await tokens.tokens().count { $0.parentID == token.id && $0.isValid(at: time.now()) }
            return .page(
                name: "Revoke \(token.name?.text ?? token.device?.text ?? "token \(token.id)")?",
                question(token, further: further, request.viewer))
        }
        _ = try await tokens.revoke(id: token.id, at: time.now())
        return .seeOther(TokensPage.address)
    }

    /// - Parameter further: the number of tokens that are revoked with it.
    private func question(_ token: AccessToken, further: Int, _ viewer: WebViewer) -> [Markup] {
        var notes = ["Requests with this token are rejected. What was sent with it stays. This cannot be undone."]
        if token.id == viewer.tokenID { notes.append("You are logged in with this token, so this logs you out.") }
        if further > 0 {
            notes.append(
                further == 1
                    ? "1 token that was created with it is revoked, too."
                    : "\(further) tokens that were created with it are revoked, too.")
        }
        return [
            .tag(
                "section", [.class("card"), .id("revoke")],
                notes.map { .tag("p", [], .text($0)) } + [
                    .tag("p", [.class("quiet")], "Token ", .tag("code", [], .text(token.id))),
                    Form.post(
                        Self.address, viewer: viewer,
                        [
                            Form.hidden("id", token.id), Form.hidden("confirmed", token.id),
                            .tag(
                                "p", [.class("fields")], Form.button("Revoke the token", [.class("strong")]),
                                .tag("a", [.class("button"), .href(TokensPage.address)], "Cancel")),
                        ]),
                ])
        ]
    }
}
