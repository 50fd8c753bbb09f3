import HealthSyncDomain
import HealthSyncPorts

/// Revokes a token of the viewer.
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
        _ = try await tokens.revoke(id: token.id, at: time.now())
        return .seeOther(TokensPage.address)
    }
}
