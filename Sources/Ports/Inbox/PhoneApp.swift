package import HealthSyncDomain

/// An app that delivers to the inbox, and what the user fills in there.
package enum PhoneApp: String, CaseIterable, Sendable {
    case healthAutoExport = "health-auto-export"
    case hozz
    case openWearables = "open-wearables"
    case hcWebhook = "hc-webhook"
    case lifeDashboard = "life-dashboard"
    case hcGateway = "hcgateway"
    case shortcuts
    case steps

    /// A field of the app.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A new device and what it needs to deliver.
    package struct Device: Sendable {
        package var name: UserName
        /// The id of its token.
        package var id: String
        /// The text of its token.
        package var token: String
        /// The key of the HMAC with which an app may sign instead of sending the token.
        package var signingSecret: String
        /// Where it delivers.
        package var inbox: InboxAddress
        /// Whether the inbox is on a server, where the path must identify the device that signs a post.
        package var isOnServer = false

        package init(name: UserName, id: String, token: String, signingSecret: String, inbox: InboxAddress) {
            self.name = name
            self.id = id
            self.token = token
            self.signingSecret = signingSecret
            self.inbox = inbox
        }

        /// The address of the inbox without a slash at the end.
        package var address: String { inbox.text }

        /// The address for apps that sign.
        fileprivate var signedAddress: String { isOnServer ? "\(address)/device/\(id)" : address }

        /// Returns the address for apps that cannot set headers. It ends with a slash if `path` is empty.
        package func address(_ path: String) -> String { "\(addressWithToken)/\(path)" }

        /// The same without a path.
        fileprivate var addressWithToken: String { "\(address)/device/\(token)" }
    }

    /// Whether the app can ask for a token of its own.
    package var asksForToken: Bool { self == .hozz }

    /// The name in its store.
    package var name: String {
        switch self {
        case .healthAutoExport: "Health Auto Export"
        case .hozz: "Hozz"
        case .openWearables: "Open Wearables"
        case .hcWebhook: "HC Webhook"
        case .lifeDashboard: "Life Dashboard Companion"
        case .hcGateway: "HCGateway"
        case .shortcuts: "Apple Shortcuts"
        case .steps: "the step app"
        }
    }

    /// The systems that the app runs on.
    package var systems: String {
        switch self {
        case .healthAutoExport, .hozz, .shortcuts, .steps: "iOS"
        case .hcWebhook, .hcGateway: "Android"
        case .openWearables, .lifeDashboard: "iOS, Android"
        }
    }

    /// Returns the fields to fill in, in the order in which the app shows them.
    package func fields(_ device: Device) -> [Field] {
        switch self {
        case .healthAutoExport:
            [
                Field("Automation Type", "REST API"), Field("URL", device.address + "/api/data"),
                Field("Headers", "Authorization: Bearer \(device.token)"), Field("Export Format", "JSON"),
                Field("Data Type", "Health Metrics"), Field("Export Version", "v2"), Field("Aggregate Data", "off"),
            ]
        case .hozz: [Field("URL", device.address + "/"), Field("Authorization", device.token)]
        case .openWearables:
            [Field("Host", device.address), Field("User", device.name.text), Field("API key", device.token)]
        case .hcWebhook: [Field("Webhook URL", device.address("hc-webhook"))]
        case .lifeDashboard:
            [
                Field("Webhook URL", device.signedAddress + "/life-dashboard"),
                Field("HMAC signing secret", device.signingSecret),
            ]
        case .hcGateway:
            [
                Field("Server address", device.address), Field("Username", device.name.text),
                Field("Password", device.token),
            ]
        case .shortcuts:
            [
                Field("URL", device.address("shortcuts")), Field("Method", "POST"), Field("Request Body", "File"),
                Field("Lines of the file", "type,start,end,value,unit"),
            ]
        case .steps: [Field("Server address", device.addressWithToken)]
        }
    }

    /// Returns the links that set up the app when the phone opens them; empty if the app has none.
    package func links(_ device: Device) -> [String] {
        guard self == .healthAutoExport else { return [] }
        // https://help.healthyapps.dev/en/health-auto-export/automations/deep-link
        let parameters = [
            ("url", device.address + "/api/data"), ("name", "healthsync"), ("format", "json"), ("exportversion", "v2"),
            ("datatype", "healthMetrics"), ("period", "none"), ("syncinterval", "hours"), ("syncquantity", "1"),
            ("aggregatedata", "false"), ("headers", "Authorization,Bearer \(device.token)"), ("enabled", "true"),
        ]
        return [
            "com.HealthExport://automation?"
                + parameters.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&")
        ]
    }

    /// Returns the fields for an app that is not known.
    package static func generalFields(_ device: Device) -> [Field] {
        [
            Field("URL", device.address + "/"), Field("Header", "Authorization: Bearer \(device.token)"),
            Field("URL without header", device.address("")),
        ]
    }
}

/// The address at which phones reach an inbox: `http` or `https`, a host, and optionally a port and a path, without a slash
/// at the end.
package struct InboxAddress: Hashable, Sendable {
    /// Such as `http://192.168.1.5:8000`.
    package let text: String

    /// The port on which an inbox listens unless the user chooses another one.
    package static let usualPort: UInt16 = 8000

    /// How to write an address, for error messages.
    package static let advice = "write it as http://HOST:PORT or https://HOST"

    /// Returns `nil` if `text` is not such an address.
    package init?(_ text: String) {
        var rest = text[...]
        for scheme in ["http://", "https://"] where text.lowercased().hasPrefix(scheme) {
            rest = text.dropFirst(scheme.count)
        }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        let isPlain = rest.unicodeScalars.allSatisfy {
            (0x21...0x7E).contains($0.value) && !"?#@\"<>\\".unicodeScalars.contains($0)
        }
        guard rest.startIndex > text.startIndex, let first = rest.first, first != "/", first != ":", isPlain else {
            return nil
        }
        self.text = text[..<rest.startIndex].lowercased() + rest
    }

    /// The plain address of an inbox on `host`, a name or a numeric address, and `port`.
    package init(host: String, port: UInt16) { text = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// Whether posts are received, for pages that pair phones.
package struct InboxReception: Hashable, Sendable {
    package enum State: Sendable {
        /// Phones in the private network can deliver.
        case receiving
        /// Only this machine can deliver, for example a proxy.
        case receivingLocally
        /// This process receives no posts.
        case none
    }

    /// The address at which phones reach the inbox, as far as this process knows.
    package var address: InboxAddress
    package var state: State

    package init(address: InboxAddress, state: State) {
        self.address = address
        self.state = state
    }

    /// The address that a phone can use; `nil` if only this machine reaches the inbox, for example a proxy.
    package var addressForPhones: InboxAddress? {
        let isHere = address.text.utf8.starts(with: "http://127.".utf8)
        return state == .receivingLocally || isHere ? nil : address
    }
}
