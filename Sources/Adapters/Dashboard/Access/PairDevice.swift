import HealthSyncDomain
import HealthSyncPorts

/// Pairs a phone and shows once what to fill in in its app.
struct PairDevice: PageAction {
    static let address = "\(DevicesPage.address)/pair"
    let devices: DeviceSources

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: DevicesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        guard let name = UserName(request.fields("name").first ?? "") else {
            throw SyncFailure(
                .usage, subject: "name", reason: "not a valid name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        guard let address = InboxAddress(request.fields("address").first ?? "") else {
            throw SyncFailure(.usage, subject: "address", reason: "not a valid address", advice: InboxAddress.advice)
        }
        let app = try app(request.fields("app").first)
        guard let device = try await devices.actions.pair(name, app: app, address: address) else {
            throw SyncFailure(
                .usage, subject: "name", reason: "a device called \(name.text) is paired",
                advice: "choose another name, or revoke that device first")
        }
        return .page(
            name: "\(name.text) is paired", NewDevice(device: device, app: app, qrCodes: devices.qrCodes).content)
    }

    private func app(_ text: String?) throws -> PhoneApp? {
        if text == PairingForm.otherApp { return nil }
        guard let app = text.flatMap({ PhoneApp(rawValue: $0) }) else {
            throw SyncFailure(.usage, subject: "app", reason: "not a known app", advice: "choose one from the list")
        }
        return app
    }
}

/// What to fill in in the app of a device that was paired just now. Contains its token, which is shown only here.
private struct NewDevice {
    let device: PhoneApp.Device
    let app: PhoneApp?
    let qrCodes: any QRCodeEncoder

    var content: [Markup] {
        let fields = app?.fields(device) ?? PhoneApp.generalFields(device)
        let links = app?.links(device) ?? []
        return [
            .tag(
                "p", [.class("notice warn"), .init("role", "status")],
                "Fill in these values now; the token is not shown again. If it is lost, revoke the device and pair it again."
            ),
            .tag(
                "div", [.class("pairing")],
                .tag(
                    "section", [.class("card"), .id("fields")], .tag("h2", [], "Fill in in \(app?.name ?? "the app")"),
                    Self.list(fields), offer, token),
                .tag(
                    "section", [.class("card"), .id("code")],
                    [.tag("h2", [], links.isEmpty ? "QR code" : "Or scan")] + codes(links))),
            .tag(
                "section", [.class("card")], .tag("h2", [], "Then"),
                .tag(
                    "ol", [], .tag("li", [], "Send a first delivery from the app."),
                    .tag(
                        "li", [],
                        .all([
                            "Check under ", .tag("a", [.href(DevicesPage.address)], "Devices"),
                            " that the time of its last post appears.",
                        ])))),
        ]
    }

    private static func list(_ fields: [PhoneApp.Field]) -> Markup {
        .tag(
            "dl", [.class("values")],
            fields.map { field in
                .tag(
                    "div", [], .tag("dt", [], .text(field.name)),
                    .tag("dd", [], .tag("code", [], .text(field.value))))
            })
    }

    /// The token alone, for apps and scripts that are set up otherwise.
    private var token: Markup {
        .tag(
            "details", [], .tag("summary", [], "Token"),
            .tag("p", [], .tag("code", [.id("token")], .text(device.token))))
    }

    private var offer: Markup {
        guard let app, app.asksForToken else { return .nothing }
        return .tag(
            "p", [.class("quiet")],
            .text(
                "Instead of typing the token, you can pair in \(app.name) within \(PairingOffer.seconds / 60) minutes. Then "
                    + "confirm under Devices the code that the app shows."))
    }

    private func codes(_ links: [String]) -> [Markup] {
        if links.isEmpty {
            return [
                code(
                    device.address(""),
                    "The address of the inbox with the token, for apps that cannot set headers. Scan it to copy it.")
            ]
        }
        return links.enumerated().map { index, link in
            let number = links.count > 1 ? " (\(index + 1) of \(links.count))" : ""
            return code(link, "Sets up \(app?.name ?? "the app")\(number): scan it with the camera of the phone.")
        }
    }

    private func code(_ text: String, _ caption: String) -> Markup {
        guard let code = qrCodes.code(of: text) else { return .nothing }
        return .tag(
            "figure", [.class("code")], QRCodeImage.markup(code, name: "QR code"),
            .tag("figcaption", [], .text(caption)))
    }
}

/// A QR code as a drawing: dark modules on white in both color schemes, because some readers do not invert.
private enum QRCodeImage {
    /// The light modules around a code (ISO/IEC 18004 requires four).
    private static let quietZone = 4
    /// The largest side of a drawing in pixels, which fits on a phone. A module has a whole number of pixels, because
    /// readers of small drawings fail on uneven modules.
    private static let largestSide = 300

    static func markup(_ code: QRCode, name: String) -> Markup {
        let side = code.size + 2 * quietZone
        let pixels = Double(side * max(2, largestSide / side))
        var path = ""
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                let start = column
                while code.isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path += "M\(start + quietZone) \(row + quietZone)h\(column - start)v1h-\(column - start)z"
                }
                column += 1
            }
        }
        return .tag(
            "svg",
            [
                .init("viewBox", "0 0 \(side) \(side)"), .init("width", pixels), .init("height", pixels),
                .init("role", "img"), .init("aria-label", name), .init("shape-rendering", "crispEdges"),
            ],
            .tag("rect", [.class("light"), .init("width", Double(side)), .init("height", Double(side))]),
            .tag("path", [.class("dark"), .init("d", path)]))
    }
}

/// The form that pairs a phone.
struct PairingForm {
    let reception: InboxReception
    let context: PageContext

    /// The value of the option for an app that is not in the list.
    fileprivate static let otherApp = "other"

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
