import HealthSyncDomain
import HealthSyncPorts

/// The form that creates a token.
struct NewTokenForm {
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
