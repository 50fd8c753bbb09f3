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
            .text("Id"), .text("Scopes"), .text("State"), .text("Created"), .text("Expires"), .text("Last used"),
        ]
        if mayRevoke { columns.append(.text("Revoke")) }
        var table = DataTable("Access tokens", columns)
        for token in tokens {
            let state = token.state(at: context.now)
            var cells: [Markup] = [
                .tag("code", [], .text(token.id)),
                .text(Self.permissions(of: token)),
                .tag("span", [.class(state == .valid ? "good" : "quiet")], .text(state.rawValue)),
                moment(token.createdAt), moment(token.expiresAt), moment(token.lastUsedAt),
            ]
            if mayRevoke { cells.append(state == .revoked ? "" : revoke(token)) }
            table.add(cells)
        }
        return table.markup
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
            [Form.hidden("id", token.id), Form.button("Revoke", [.init("aria-label", "Revoke \(token.id)")])])
    }
}
