import HealthSyncDomain
import HealthSyncPorts

/// Creates a token for the viewer, with no scope that their own token lacks.
struct CreateToken: PageAction {
    static let address = "/view/tokens/create"
    let tokens: any AccessTokenStore
    let hasher: any SecretHasher
    let random: any RandomSource
    let time: any TimeSource

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: TokensPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let viewer = request.viewer
        try viewer.requireAdmin()
        let scopes = Set(request.fields("scope").compactMap { AccessScope(rawValue: $0) })
        guard !scopes.isEmpty else {
            throw SyncFailure(
                .usage, subject: "new token", reason: "no scope is selected", advice: "select at least one")
        }
        guard scopes.isSubset(of: viewer.scopes) else {
            throw SyncFailure(
                .forbidden, subject: "new token", reason: "the token you logged in with lacks some of these scopes",
                advice: "select fewer scopes")
        }
        var tokenRequest = AccessTokenRequest(user: viewer.user, scopes: scopes, lastDay: try lastDay(request))
        tokenRequest.name = try name(request)
        if let id = viewer.tokenID {
            guard let parent = try await tokens.token(id: id) else {
                throw SyncFailure(
                    .forbidden, subject: "new token", reason: "the token you logged in with was deleted",
                    advice: "log in with another token")
            }
            tokenRequest.parent = parent
        }
        let (token, text) = try tokenRequest.issue(
            at: time.now(), dayName: Self.dayName, random: random.bytes, digest: hasher.sha256)
        try await tokens.add(token)
        return .page(name: "New token", content(text))
    }

    private func name(_ request: WebRequest) throws -> TokenName? {
        guard let text = request.fields("name").first, !text.withoutOuterSpaces.isEmpty else { return nil }
        guard let name = TokenName(text) else {
            throw SyncFailure(.usage, subject: "name", reason: "not a valid name", advice: TokenName.advice)
        }
        return name
    }

    private static let dayName = "last day"

    private func lastDay(_ request: WebRequest) throws -> CalendarDay? {
        guard let text = request.fields("expires").first, !text.isEmpty else { return nil }
        guard let day = CalendarDay(text) else {
            throw SyncFailure(
                .usage, subject: Self.dayName, reason: "\(text) is not a valid date",
                advice: "choose a date, or leave it empty")
        }
        return day
    }

    private func content(_ text: AccessTokenText) -> [Markup] {
        [
            .tag("p", [.class("notice warn"), .init("role", "status")], "Save this token now; it is not shown again."),
            .tag(
                "section", [.class("card")],
                CopyField.markup(text.text, id: "token"),
                .tag("p", [], .tag("a", [.href(TokensPage.address)], "All tokens"))),
        ]
    }
}
