import HealthSyncDomain
import HealthSyncPorts

/// The form that pairs a phone.
struct PairingForm {
    let reception: InboxReception
    let context: PageContext

    /// The value of the option for an app that is not in the list.
    static let otherApp = "other"

    var markup: Markup {
        let fields: [Markup] = [
            Form.field(
                "name", "Name, such as anna-phone", context.typed("name"),
                [
                    .init("required"), .init("maxlength", "64"), .init("pattern", "[a-z0-9][a-z0-9._\\-]*"),
                    .init("autocapitalize", "none"), .init("autocomplete", "off"), .init("spellcheck", "false"),
                    .init("title", "Lower-case letters, digits, dot, hyphen and underscore"),
                ], problem: problem("name")),
            .tag(
                "div", [], .tag("label", [.init("for", "app")], "App"),
                .tag("select", [.id("app"), .init("name", "app")], apps)),
            Form.field(
                "address", "Address of the inbox", context.typed("address") ?? reception.addressForPhones?.text,
                [
                    .init("required"), .init("size", "28"), .init("inputmode", "url"), .init("spellcheck", "false"),
                    .init("placeholder", "https://health.example.org"),
                ],
                problem: problem("address")),
        ]
        return .tag(
            "section", [.class("card"), .id("pair")],
            [.tag("h2", [], "Pair a phone")] + [notice] + [
                Form.post(
                    PairDevice.address, viewer: context.request.viewer,
                    [
                        .tag("div", [.class("fields")], fields),
                        .tag("p", [], Form.button("Pair", [.class("strong")])),
                    ]),
                .tag(
                    "p", [.class("quiet")],
                    "The next page shows what to fill in in the app, and a QR code. Its token is shown only once."),
            ])
    }

    private func problem(_ field: String) -> FormProblem? {
        context.problem.flatMap { $0.subject == field ? $0 : nil }
    }

    private var apps: [Markup] {
        let known = PhoneApp.allCases.map { app in
            (app.rawValue, "\(app.name.inSentenceCase) (\(app.systems))")
        }
        return (known + [(Self.otherApp, "Another app")]).enumerated().map { index, app in
            let isChosen = context.isChosen("app", app.0, usual: index == 0)
            return .tag("option", [.init("value", app.0), isChosen ? .init("selected") : .none], .text(app.1))
        }
    }

    /// Why a phone cannot deliver yet.
    private var notice: Markup {
        switch reception.state {
        case .receiving: .nothing
        case .receivingLocally:
            .tag(
                "p", [.class("warn"), .id("reception")],
                "The inbox accepts only this machine. Enter the address of your proxy with TLS, or start "
                    + code("healthsync watch --listen 0.0.0.0:8000 --lan --dashboard")
                    + " to admit phones in your network.")
        case .none:
            .tag(
                "p", [.class("quiet"), .id("reception")],
                "Phones deliver while " + code("healthsync watch --listen 0.0.0.0:8000 --lan") + " runs.")
        }
    }

    /// Returns a command whose options are not broken into two lines.
    private func code(_ text: String) -> Markup {
        let words = text.split(separator: " ").map { Markup.tag("span", [.class("whole")], .text(String($0))) }
        return .tag("code", [], words.dropFirst().reduce(words.first ?? .nothing) { $0 + " " + $1 })
    }
}
