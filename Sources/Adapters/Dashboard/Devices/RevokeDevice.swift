import HealthSyncDomain
import HealthSyncPorts

/// Revokes a device after a second confirmation.
struct RevokeDevice: PageAction {
    static let address = "\(DevicesPage.address)/revoke"
    let devices: DeviceSources

    /// Returns the button for a device.
    static func form(_ name: UserName, _ viewer: WebViewer) -> Markup {
        Form.post(
            address, viewer: viewer,
            [
                Form.hidden("device", name.text),
                Form.button("Revoke", [.init("aria-label", "Revoke \(name.text)")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: DevicesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let noDevice = SyncFailure(
            .usage, subject: "revoke", reason: "no such device is paired", advice: "choose one from the list")
        guard let name = UserName(request.fields("device").first ?? "") else { throw noDevice }
        guard request.fields("confirmed") == ["yes"] else {
            return .page(name: "Revoke \(name.text)?", question(name, request.viewer))
        }
        guard try await !devices.actions.revoke(name).isEmpty else { throw noDevice }
        return .seeOther(DevicesPage.address)
    }

    private func question(_ name: UserName, _ viewer: WebViewer) -> [Markup] {
        [
            .tag(
                "section", [.class("card"), .id("revoke")],
                .tag("p", [], .text("Further posts of \(name.text) are rejected. What it delivered stays.")),
                .tag(
                    "p", [],
                    .text("To receive from this phone again, pair it under the same name and fill in the new token.")),
                Form.post(
                    Self.address, viewer: viewer,
                    [
                        Form.hidden("device", name.text), Form.hidden("confirmed", "yes"),
                        .tag(
                            "p", [.class("fields")], Form.button("Revoke the device", [.class("strong")]),
                            .tag("a", [.class("button"), .href(DevicesPage.address)], "Cancel")),
                    ]))
        ]
    }
}
