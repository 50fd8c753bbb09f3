import HealthSyncDomain
import HealthSyncPorts

/// Lets a phone pair that asks for it in its app.
struct ConfirmDevice: PageAction {
    static let address = "\(DevicesPage.address)/confirm"
    let devices: DeviceSources

    /// Returns the phones that ask, each with a button; nothing if none does.
    static func section(_ offer: PairingOffer?, _ context: PageContext) -> [Markup] {
        guard let offer, !offer.claims.isEmpty else { return [] }
        var table = DataTable(
            "In the order in which they asked",
            [.text("Code"), .text("Stated name"), .text("Address"), .text("Asked"), .text("Confirm")])
        for claim in offer.claims {
            table.add([
                .tag("code", [], .text(claim.code)), claim.statedName.map { .tag("bdi", [], .text($0.text)) } ?? "–",
                .text(claim.address), context.moment(claim.askedAt),
                claim.isConfirmed ? "confirmed; pair in the app again" : form(claim, context.request.viewer),
            ])
        }
        return [
            .tag(
                "section", [.class("card"), .id("asking")],
                .tag("h2", [], .text("Phones that ask to be paired as \(offer.device.text)")),
                .tag(
                    "p", [.class("warn")],
                    "Confirm only the code that the app on your own phone shows. Then pair in the app again."),
                table.markup)
        ]
    }

    private static func form(_ claim: PairingOffer.Claim, _ viewer: WebViewer) -> Markup {
        Form.post(
            address, viewer: viewer,
            [
                Form.hidden("code", claim.code),
                Form.button("Confirm", [.init("aria-label", "Confirm \(claim.code)")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: DevicesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        guard let code = request.fields("code").first, try await devices.actions.confirm(code) != nil else {
            throw SyncFailure(
                .usage, subject: "confirm", reason: "no phone asks to pair with this code",
                advice: "pair in the app again, within the time that it may ask")
        }
        return .seeOther(DevicesPage.address)
    }
}
