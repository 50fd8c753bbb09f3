import HealthSyncDomain
import HealthSyncPorts

/// The phones that may deliver to the inbox, and a form that pairs another one.
struct DevicesPage: Page {
    static let address = "/view/devices"
    let name = "Devices"
    let devices: DeviceSources

    private static let mostShown = 100

    func content(_ context: PageContext) async throws -> [Markup] {
        let all = PairedDevice.devices(of: try await devices.actions.tokens(), at: context.now)
        var list: [Markup] = [.tag("h2", [], "Paired devices")]
        if all.isEmpty {
            list.append(.tag("p", [.class("quiet")], "No phone is paired yet."))
        } else {
            list.append(.tag("p", [.class("quiet")], "A device can only deliver; it cannot read anything."))
            list.append(table(Array(all.prefix(Self.mostShown)), context))
            if all.count > Self.mostShown {
                list.append(
                    .tag("p", [.class("quiet")], "\(all.count - Self.mostShown) revoked devices are not shown."))
            }
        }
        return ConfirmDevice.section(try await devices.actions.offer(), context) + [
            .tag("section", [.class("card"), .id("devices")], list),
            PairingForm(reception: devices.reception(), context: context).markup,
        ]
    }

    private func table(_ devices: [PairedDevice], _ context: PageContext) -> Markup {
        var table = DataTable(
            "By name; revoked ones last",
            [
                .text("Device"), .text("Asked in the app"), .text("State"), .text("Paired"), .text("Last post"),
                .text("Revoke"),
            ])
        for device in devices {
            table.add([
                .text(device.name.text), Self.origins(device),
                .tag(
                    "span", [.class(device.isPaired ? "good" : "quiet")], .text(device.isPaired ? "paired" : "revoked")),
                context.moment(device.pairedAt), device.lastPostAt.map { context.moment($0) } ?? "–",
                device.isPaired ? RevokeDevice.form(device.name, context.request.viewer) : "",
            ])
        }
        return table.markup
    }

    /// Returns the names and addresses of the phones that asked for a token.
    private static func origins(_ device: PairedDevice) -> Markup {
        let parts = device.origins.flatMap { origin -> [Markup] in
            [
                .tag("br", []), origin.name.map { .all([.tag("bdi", [], .text($0.text)), " at "]) } ?? "",
                .text(origin.address),
            ]
        }
        return parts.isEmpty ? "–" : .all(Array(parts.dropFirst()))
    }
}

/// A device by its name. It has several tokens if its app asked for one of its own, or if it was paired again.
private struct PairedDevice: Hashable {
    var name: UserName
    var isPaired: Bool
    /// When its last token was created.
    var pairedAt: Instant
    var lastPostAt: Instant?
    /// The phones that asked for one of its valid tokens.
    var origins: [Origin] = []

    /// A phone that asked for a token.
    struct Origin: Hashable {
        var name: TokenName?
        var address: String
    }

    /// Returns the devices that `tokens` belong to: the paired ones by name, then the revoked ones, the latest first.
    static func devices(of tokens: [AccessToken], at now: Instant) -> [PairedDevice] {
        let all = Dictionary(grouping: tokens, by: \.user).map { name, tokens in
            PairedDevice(
                name: name, isPaired: tokens.contains { $0.isValid(at: now) },
                pairedAt: tokens.map(\.createdAt).max() ?? now, lastPostAt: tokens.compactMap(\.lastUsedAt).max(),
                origins: tokens.compactMap { token in
                    token.isValid(at: now) ? token.address.map { Origin(name: token.name, address: $0) } : nil
                })
        }
        return all.filter(\.isPaired).sorted { $0.name.text < $1.name.text }
            + all.filter { !$0.isPaired }.sorted { ($0.pairedAt, $0.name.text) > ($1.pairedAt, $1.name.text) }
    }
}

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
