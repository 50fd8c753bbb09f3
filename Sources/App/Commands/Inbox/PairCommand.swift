import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync pair`
enum PairCommand: Command {
    static let declaration = CommandDeclaration(
        "pair", "Allow a phone to deliver to the inbox",
        discussion: [
            "Creates a token for the device and prints it once, with what to fill in in the app and a QR code for the phone's "
                + "camera. The device can only deliver; it cannot read anything. To end this, use `healthsync device revoke NAME`.",
            "With --user or --store the device delivers to the inbox of a user of a receiving server; run it on the server. "
                + "Its posts wait there until the user's machine has fetched them with `healthsync pull`.",
            "The apps are " + PhoneApp.allCases.map(\.rawValue).joined(separator: ", ") + ".",
        ],
        arguments: [ArgumentDeclaration("NAME", "A name for the device, such as anna-phone")],
        options: [
            .value("app", "APP", "Show what to fill in in this app", default: "what every app needs"),
            .value(
                "address", "URL", "Use this address of the inbox; with --user or --store, of the server",
                default: "http, the address of this machine in its network, port \(ListenAddress.defaultPort)"),
        ] + InboxChoice.options,
        examples: [
            "pair anna-phone --app health-auto-export", "pair pixel --app hc-webhook --address http://nas:8000",
            "pair anna-phone --user anna --address https://health.example.org",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let choice = try await InboxChoice(context)
        let name = try DeviceName.of(context)
        let decoders = context.environment.factory.inbox.plugInDecoders
        let app = try PairedApp(context.parsed.text("app"), decoders: decoders)
        let address = try address(context, isOnServer: choice.isOnServer)
        guard let device = try await choice.devices.pair(name, app: app.known, address: address) else {
            throw SyncFailure(
                .usage, subject: name.text, reason: "a device with this name is paired",
                advice: "choose another name, or run `healthsync device revoke \(name.text)` first")
        }
        show(device, app: app, in: context)
        context.warn("save the token; it is not shown again")
        return .done
    }

    private static func show(_ device: PhoneApp.Device, app: PairedApp, in context: CommandContext) {
        let fields = app.known?.fields(device) ?? PhoneApp.generalFields(device)
        let links = app.known?.links(device) ?? []
        var table = TextTable([.left, .left])
        for field in fields { table.add(field.name, field.value) }
        table.add("Token", device.token)
        if app.known?.asksForToken == true, !device.isOnServer {
            table.add(
                "Or",
                "pair in the app within \(PairingOffer.seconds / 60) minutes, and confirm the code that it shows with "
                    + "`healthsync device confirm CODE`")
        }
        let style = context.style
        var lines =
            ["Paired \(device.name). In \(app.name), fill in:", ""]
            + table.lines(fitting: style, indentation: 2)
        lines += codeLines(links.first ?? device.address(""), style: style)
        if !links.isEmpty {
            let these = links.count == 1 ? "this link" : "these links"
            lines += ["", "Or open \(these) on the phone:"] + links.map { "  \($0)" }
        }
        context.show(
            charts: lines,
            json: [
                "device": device.name.text, "id": device.id, "token": device.token,
                "signingSecret": device.signingSecret, "address": device.address,
                "app": app.identifier,
                "fields": fields.map { ["name": $0.name, "value": $0.value] as JSONValue },
                "qrCode": links.first ?? device.address(""), "links": links,
            ])

        func codeLines(_ text: String, style: OutputStyle) -> [String] {
            guard let code = context.environment.factory.inbox.qrCodes.code(of: text) else { return [] }
            let columns = code.size + 2 * QRCodeText.quietZone
            if let width = style.width, width < columns || !style.hasBlocks {
                return ["", "The QR code needs a UTF-8 terminal of \(columns) columns."]
            }
            return [""] + QRCodeText.lines(of: code, hasColor: style.hasColor)
        }
    }

    private static func address(_ context: CommandContext, isOnServer: Bool) throws(SyncFailure) -> InboxAddress {
        guard let text = context.parsed.text("address") else {
            guard !isOnServer else {
                throw .usage(
                    "pair", "the address of the server is missing", advice: "name it with --address https://HOST")
            }
            return context.environment.factory.inbox.usualAddress
        }
        let stated = InboxAddress(text)
        guard let address = isOnServer ? stated.flatMap({ InboxAddress($0.text + "/inbox") }) : stated else {
            throw .usage("--address", "invalid address \"\(text)\"", advice: InboxAddress.advice)
        }
        return address
    }
}

/// The app that the user names: a known one, or that of a plug-in.
private struct PairedApp {
    /// `nil` for an app whose fields are not known.
    let known: PhoneApp?
    /// The name of the app in messages.
    let name: String
    /// As in `--app`; `nil` if the user names none.
    let identifier: String?

    /// Throws `.usage` for an app that is neither known nor that of one of `decoders`.
    init(_ text: String?, decoders: [any InboxDecoder]) throws(SyncFailure) {
        known = text.flatMap { PhoneApp(rawValue: $0) }
        let decoder = text.flatMap { text in decoders.first { $0.provider.hasSameBytes(as: text) } }
        if let text, known == nil, decoder == nil {
            let names = PhoneApp.allCases.map(\.rawValue) + decoders.map(\.provider)
            throw .usage("--app", "unknown app \"\(text)\"", advice: "use one of \(names.joined(separator: ", "))")
        }
        name = known?.name ?? decoder?.name ?? "the app"
        identifier = known?.rawValue ?? decoder?.provider
    }
}

/// A QR code as lines of text, two rows of modules a line.
private enum QRCodeText {
    /// The light modules around a code (ISO/IEC 18004 requires four).
    static let quietZone = 4

    /// Returns the lines. Light modules are drawn, because most terminals are dark; with colors, a code looks the same on
    /// a light terminal. Without colors it is inverted there, and most cameras read it.
    static func lines(of code: QRCode, hasColor: Bool) -> [String] {
        let range = -quietZone..<(code.size + quietZone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                let isLowerDark = row + 1 < range.upperBound && code.isDark(row: row + 1, column: column)
                return switch (code.isDark(row: row, column: column), isLowerDark) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
            // White on black of the 256 colors, which themes do not change.
            return hasColor ? "\u{1B}[38;5;231;48;5;16m\(blocks)\u{1B}[0m" : blocks
        }
    }
}
