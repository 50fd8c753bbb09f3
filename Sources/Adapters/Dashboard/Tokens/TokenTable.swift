import HealthSyncDomain
import HealthSyncPorts

/// A table of tokens, without their secrets.
struct TokenTable {
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
