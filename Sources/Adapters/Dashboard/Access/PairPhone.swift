import HealthSyncDomain
import HealthSyncPorts

/// Creates a token for a phone of the viewer, which can only deliver posts.
struct PairPhone: PageAction {
    static let address = "/view/tokens/pair"
    let tokens: any AccessTokenStore
    let hasher: any SecretHasher
    let random: any RandomSource
    let time: any TimeSource

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: TokensPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        try request.viewer.requireAdmin()
        let (user, now) = (request.viewer.user, time.now())
        guard let device = request.fields("device").first.flatMap({ UserName($0) }) else {
            throw SyncFailure(
                .usage, subject: "phone", reason: "invalid name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        let isPaired = try await tokens.tokens().contains {
            $0.user == user && $0.device == device && $0.isValid(at: now)
        }
        guard !isPaired else {
            throw SyncFailure(
                .usage, subject: "phone", reason: "a phone with this name is paired",
                advice: "choose another name, or revoke its token first")
        }
        var tokenRequest = AccessTokenRequest(user: user, scopes: [], device: device)
        if let id = request.viewer.tokenID {
            guard let parent = try await tokens.token(id: id) else {
                throw SyncFailure(
                    .forbidden, subject: "phone", reason: "the token you logged in with was deleted",
                    advice: "log in with another token")
            }
            tokenRequest.parent = parent
        }
        let (token, text) = try tokenRequest.issue(
            at: now, dayName: "", random: random.bytes, digest: hasher.sha256)
        try await tokens.add(token)
        return .page(name: "New phone", content(text, secret: HexDigits.text(token.secretDigest)))
    }

    private func content(_ text: AccessTokenText, secret: String) -> [Markup] {
        func row(_ name: String, _ value: String, id: String) -> Markup {
            CopyField.markup(value, id: id, label: name)
        }
        return [
            .tag("p", [.class("notice warn"), .init("role", "status")], "Save this token now; it is not shown again."),
            .tag(
                "section", [.class("card")],
                row("Token", text.text, id: "token"),
                row("Path for apps that cannot set headers", "/inbox/device/\(text.text)/", id: "path"),
                row("Path for apps that sign", "/inbox/device/\(text.id)/", id: "signed-path"),
                row("Signing secret", secret, id: "secret"),
                .tag("p", [], "The address of the inbox is that of this server, followed by /inbox."),
                .tag("p", [], .tag("a", [.href(TokensPage.address)], "All tokens"))),
        ]
    }
}

/// The form that pairs a phone.
struct PairPhoneForm {
    let context: PageContext

    var markup: Markup {
        .tag(
            "section", [.class("card")], .tag("h2", [], "New phone"),
            .tag(
                "p", [],
                "A phone can only deliver. Its posts wait here until your computer has fetched them with healthsync pull."
            ),
            Form.post(
                PairPhone.address, viewer: context.request.viewer,
                [
                    .tag(
                        "p", [], .tag("label", [.init("for", "device")], "Name of the phone, such as anna-phone"),
                        .tag(
                            "input",
                            [
                                .init("type", "text"), .id("device"), .init("name", "device"), .init("required"),
                                .init("maxlength", "64"), .init("value", context.typed("device") ?? ""),
                            ])),
                    Form.button("Pair phone", [.class("strong")]),
                ]))
    }
}
