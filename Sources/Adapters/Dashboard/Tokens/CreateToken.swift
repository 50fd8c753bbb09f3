import HealthSyncDomain
import HealthSyncPorts

/// Makes a token of the viewer, which allows nothing that his own does not.
struct CreateToken: PageAction {
    static let address = "/view/tokens/create"
    let tokens: any AccessTokenStore
    let hasher: any SecretHasher
    let random: any RandomSource
    let time: any TimeSource

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let viewer = request.viewer
        try viewer.requireAdmin()
        let scopes = Set(request.fields("scope").compactMap { AccessScope(rawValue: $0) })
        guard !scopes.isEmpty else {
            throw SyncFailure(
                .usage, subject: "new token", reason: "it would allow nothing", advice: "choose something")
        }
        guard scopes.isSubset(of: viewer.scopes) else {
            throw SyncFailure(
                .forbidden, subject: "new token", reason: "it would allow more than the token you logged in with",
                advice: "choose less")
        }
        let now = time.now()
        let expiry = try expiry(request, after: now)
        guard let text = AccessTokenText(idBytes: random.bytes(8), secret: random.bytes(32)) else {
            throw SyncFailure(.unexpected, subject: "token", reason: "no random bytes", advice: "report this")
        }
        try await tokens.add(
            AccessToken(
                id: text.id, secretDigest: hasher.sha256(text.secret), user: viewer.user, scopes: scopes,
                createdAt: now, expiresAt: expiry))
        return .page(name: "New token", content(text))
    }

    private func expiry(_ request: WebRequest, after now: Instant) throws -> Instant? {
        guard let text = request.fields("expires").first, !text.isEmpty else { return nil }
        guard let day = CalendarDay(text), now < day.advanced(by: 1).utcStart else {
            throw SyncFailure(
                .usage, subject: "last day", reason: "\(text) is no day or is over", advice: "choose a later day")
        }
        return day.advanced(by: 1).utcStart
    }

    private func content(_ text: AccessTokenText) -> [Markup] {
        [
            .tag("p", [.class("notice warn"), .init("role", "status")], "Keep this token now; it is not shown again."),
            .tag(
                "section", [.class("card")],
                .tag("p", [], .tag("code", [.id("token")], .text(text.text))),
                .tag("p", [], .tag("a", [.href(TokensPage.address)], "All tokens"))),
        ]
    }
}
