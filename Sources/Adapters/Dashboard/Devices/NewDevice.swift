import HealthSyncDomain
import HealthSyncPorts

/// What to fill in in the app of a device that was paired just now. Contains its token, which is shown only here.
struct NewDevice {
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
