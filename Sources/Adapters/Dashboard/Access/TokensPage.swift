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

/// A table of tokens, without their secrets.
private struct TokenTable {
    let tokens: [AccessToken]
    let viewer: WebViewer
    let mayRevoke: Bool
    let context: PageContext

    var markup: Markup {
        var columns: [DataTable.Column] = [
            .text("Token"), .text("Scopes"), .text("State"), .text("Created"), .text("Expires"), .text("Last used"),
        ]
        if mayRevoke { columns.append(.text("Revoke")) }
        var table = DataTable("Access tokens", columns)
        for token in tokens {
            let state = token.state(at: context.now)
            var cells: [Markup] = [
                name(of: token),
                .text(Self.permissions(of: token)),
                .tag("span", [.class(state == .valid ? "good" : "quiet")], .text(state.rawValue)),
                moment(token.createdAt), moment(token.expiresAt), moment(token.lastUsedAt),
            ]
            if mayRevoke { cells.append(state == .revoked ? "" : revoke(token)) }
            table.add(cells)
        }
        return table.markup
    }

    /// Returns the name, whether the viewer logged in with the token, and the id.
    private func name(of token: AccessToken) -> Markup {
        let name = token.name?.text ?? token.device?.text
        var parts: [Markup] = []
        if let name { parts += [.tag("bdi", [], .text(name)), " "] }
        if token.id == viewer.tokenID { parts += [.tag("span", [.class("this-one")], "this one"), " "] }
        return .all(parts + [.tag("code", [.class("below")], .text(token.id))])
    }

    private static func permissions(of token: AccessToken) -> String {
        if let device = token.device { return "phone \(device.text)" }
        return AccessScope.allCases.filter(token.scopes.contains).map(\.rawValue).joined(separator: ", ")
    }

    private func moment(_ instant: Instant?) -> Markup {
        instant.map { context.moment($0) } ?? "–"
    }

    private func revoke(_ token: AccessToken) -> Markup {
        Form.post(
            RevokeToken.address, viewer: viewer,
            [
                Form.hidden("id", token.id),
                Form.button("Revoke", [.init("aria-label", "Revoke \(token.name?.text ?? token.id)")]),
            ])
    }
}

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

extension WebViewer {
    /// Throws unless the viewer may change tokens.
    func requireAdmin() throws(SyncFailure) {
        guard scopes.contains(.admin) else {
            throw SyncFailure(
                .forbidden, subject: "tokens", reason: "the token you logged in with does not have the scope admin",
                advice: "log in with a token that has it, or run healthsync token on the server")
        }
    }
}

extension SyncFailure.Code {
    /// The viewer's token lacks the required scope.
    static let forbidden = Self(rawValue: "forbidden")
}

/// The form that creates a token.
private struct NewTokenForm {
    let context: PageContext
    private var viewer: WebViewer { context.request.viewer }

    var markup: Markup {
        let scopes = AccessScope.allCases.filter(viewer.scopes.contains).map { scope in
            Form.checkbox(
                "scope", value: scope.rawValue, label: .text(Self.label(scope)),
                isChecked: context.isChosen("scope", scope.rawValue, usual: AccessScope.ofClients.contains(scope)))
        }
        let name = Form.field(
            "name", "Name, such as Anna’s laptop", context.typed("name"), [.init("maxlength", "64")],
            problem: context.problem.flatMap { $0.subject == "name" ? $0 : nil })
        let expiry = Markup.tag(
            "p", [],
            .tag(
                "label", [.init("for", "expires")],
                "Expires after this day (UTC); empty to expire when your own token does, if ever"),
            .tag(
                "input",
                [
                    .init("type", "date"), .id("expires"), .init("name", "expires"),
                    .init("value", context.typed("expires") ?? ""),
                ]))
        return .tag(
            "section", [.class("card")], .tag("h2", [], "New token"),
            Form.post(
                CreateToken.address, viewer: viewer,
                [
                    name, .tag("fieldset", [], [.tag("legend", [], "Scopes")] + scopes), expiry,
                    Form.button("Create token", [.class("strong")]),
                ]))
    }

    private static func label(_ scope: AccessScope) -> String {
        switch scope {
        case .ingest: "ingest: send records"
        case .read: "read: read records, log in here"
        case .delete: "delete: delete records"
        case .inbox: "inbox: fetch the posts of phones, and delete them here"
        case .admin: "admin: read the server’s metrics, create and revoke tokens"
        }
    }
}

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

/// A text to copy. A script adds a button that copies it.
enum CopyField {
    static func markup(_ text: String, id: String, label: String? = nil) -> Markup {
        .tag(
            "p", [.class("copy"), .init("data-copy", id)],
            .text(label.map { "\($0): " } ?? ""), .tag("code", [.id(id)], .text(text)))
    }
}
