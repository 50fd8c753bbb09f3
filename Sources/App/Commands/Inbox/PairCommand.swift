import HealthSyncDomain
import HealthSyncPorts

/// `healthsync pair`
enum PairCommand: Command {
    static let declaration = CommandDeclaration(
        "pair", "Allow a phone to deliver to the inbox",
        discussion: [
            "Creates a token for the device and prints it once, with what to fill in in the app and a QR code for the phone's "
                + "camera. The device can only deliver; it cannot read anything. To end this, use `healthsync device revoke NAME`.",
            "The apps are " + PhoneApp.allCases.map(\.rawValue).joined(separator: ", ") + ".",
        ],
        arguments: [ArgumentDeclaration("NAME", "A name for the device, such as anna-phone")],
        options: [
            .value("app", "APP", "Show what to fill in in this app", default: "what every app needs"),
            .value(
                "address", "URL", "Use this address of the inbox",
                default: "http, the address of this machine in its network, port \(ListenAddress.defaultPort)"),
        ],
        examples: [
            "pair anna-phone --app health-auto-export", "pair pixel --app hc-webhook --address http://nas:8000",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let (environment, inbox) = (context.environment, context.environment.factory.inbox)
        let name = try DeviceName.of(context)
        let app = try app(context.parsed.text("app"))
        let address = try address(context.parsed.text("address"), inbox)
        let now = environment.time.now()
        guard try await inbox.tokens(of: name.text, settings, at: now).isEmpty else {
            throw SyncFailure(
                .usage, subject: name.text, reason: "a device with this name is paired",
                advice: "choose another name, or run `healthsync device revoke \(name.text)` first")
        }
        let (token, text) = try AccessTokenRequest(user: name, scopes: [.ingest]).issue(
            at: now, dayName: "", random: environment.random.bytes, digest: inbox.hasher.sha256)
        try await inbox.devices(settings).add(token)
        if app?.asksForToken == true {
            try inbox.offers(settings).offer(name, until: now.advanced(bySeconds: offerSeconds))
        }
        show(
            PhoneApp.Device(
                name: name.text, token: text.text, signingSecret: HexDigits.text(token.secretDigest), address: address),
            id: token.id, app: app, in: context)
        context.warn("save the token; it is not shown again")
        return .done
    }

    /// How long an app may ask for a token.
    private static let offerSeconds: Int64 = 600

    private static func show(_ device: PhoneApp.Device, id: String, app: PhoneApp?, in context: CommandContext) {
        let fields = app?.fields(device) ?? PhoneApp.generalFields(device)
        let links = app?.links(device) ?? []
        var table = TextTable([.left, .left])
        for field in fields { table.add(field.name, field.value) }
        table.add("Token", device.token)
        if app?.asksForToken == true { table.add("Or", "pair in the app within 10 minutes") }
        let style = context.style
        var lines = ["Paired \(device.name). In \(app?.name ?? "the app"), fill in:", ""] + table.lines(indentation: 2)
        lines += codeLines(links.first ?? device.address(""), style: style)
        if !links.isEmpty { lines += ["", "Or open these links on the phone:"] + links.map { "  \($0)" } }
        context.show(
            charts: lines,
            json: [
                "device": .string(device.name), "id": .string(id), "token": .string(device.token),
                "signingSecret": .string(device.signingSecret), "address": .string(device.address),
                "app": .optional(app?.rawValue),
                "fields": .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] }),
                "qrCode": .string(links.first ?? device.address("")), "links": .array(links.map { .string($0) }),
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

    private static func app(_ text: String?) throws(SyncFailure) -> PhoneApp? {
        guard let text else { return nil }
        guard let app = PhoneApp(rawValue: text) else {
            throw .usage(
                "--app", "unknown app \"\(text)\"",
                advice: "use one of \(PhoneApp.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return app
    }

    private static func address(_ text: String?, _ inbox: InboxFactory) throws(SyncFailure) -> String {
        guard let text else {
            return "http://\(inbox.localAddress() ?? "127.0.0.1"):\(ListenAddress.defaultPort)"
        }
        var rest = text[...]
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            rest = text.dropFirst(scheme.count)
        }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let isPlain = rest.unicodeScalars.allSatisfy {
            (0x21...0x7E).contains($0.value) && !"?#@\"<>\\".unicodeScalars.contains($0)
        }
        guard rest.startIndex > text.startIndex, let first = rest.first, first != "/", first != ":", isPlain else {
            throw .usage(
                "--address", "invalid address \"\(text)\"", advice: "write it as http://HOST:PORT or https://HOST")
        }
        return text[..<rest.startIndex].lowercased() + rest
    }
}
