import HealthSyncDomain

/// An app that delivers to the inbox, and what the user fills in there.
enum PhoneApp: String, CaseIterable {
    case healthAutoExport = "health-auto-export"
    case hozz
    case openWearables = "open-wearables"
    case hcWebhook = "hc-webhook"
    case lifeDashboard = "life-dashboard"
    case hcGateway = "hcgateway"
    case shortcuts
    case steps

    /// A field of the app.
    struct Field {
        var name: String
        var value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A new device and the address of its inbox.
    struct Device {
        var name: String
        /// The text of its token.
        var token: String
        /// The key of the HMAC with which an app may sign instead of sending the token.
        var signingSecret: String
        /// The address of the inbox without a slash at the end.
        var address: String

        /// The address for apps that cannot set headers.
        func address(_ path: String) -> String { "\(address)/device/\(token)/\(path)" }
    }

    /// Whether the app can ask for a token of its own.
    var asksForToken: Bool { self == .hozz }

    /// The name in its store.
    var name: String {
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

    /// Returns the fields to fill in, in the order in which the app shows them.
    func fields(_ device: Device) -> [Field] {
        switch self {
        case .healthAutoExport:
            [
                Field("Automation Type", "REST API"), Field("URL", device.address + "/api/data"),
                Field("Headers", "Authorization: Bearer \(device.token)"), Field("Export Format", "JSON"),
                Field("Export Version", "v2"), Field("Aggregate Data", "off"),
                Field("Second automation", "the same with data type Workouts"),
            ]
        case .hozz: [Field("URL", device.address + "/"), Field("Authorization", device.token)]
        case .openWearables:
            [Field("Host", device.address), Field("User", device.name), Field("API key", device.token)]
        case .hcWebhook: [Field("Webhook URL", device.address("hc-webhook"))]
        case .lifeDashboard:
            [
                Field("Webhook URL", device.address + "/life-dashboard"),
                Field("HMAC signing secret", device.signingSecret),
            ]
        case .hcGateway:
            [
                Field("Server address", device.address), Field("Username", device.name),
                Field("Password", device.token),
            ]
        case .shortcuts:
            [
                Field("URL", device.address("shortcuts")), Field("Method", "POST"), Field("Request Body", "File"),
                Field("Lines of the file", "type,start,end,value,unit"),
            ]
        case .steps: [Field("Server address", device.address("").dropLastSlash)]
        }
    }

    /// Returns the links that set up the app when the phone opens them; empty if the app has none.
    func links(_ device: Device) -> [String] {
        guard self == .healthAutoExport else { return [] }
        return [("healthsync", "healthMetrics"), ("healthsync workouts", "workouts")].map { name, dataType in
            // https://help.healthyapps.dev/en/health-auto-export/automations/deep-link
            let parameters = [
                ("url", device.address + "/api/data"), ("name", name), ("format", "json"), ("exportversion", "v2"),
                ("datatype", dataType), ("period", "none"), ("syncinterval", "hours"), ("syncquantity", "1"),
                ("aggregatedata", "false"), ("headers", "Authorization,Bearer \(device.token)"), ("enabled", "true"),
            ]
            return "com.HealthExport://automation?"
                + parameters.map { "\($0.0)=\(PercentEncoding.component($0.1))" }.joined(separator: "&")
        }
    }

    /// Returns the fields for an app that is not known.
    static func generalFields(_ device: Device) -> [Field] {
        [
            Field("URL", device.address + "/"), Field("Header", "Authorization: Bearer \(device.token)"),
            Field("URL without header", device.address("")),
        ]
    }
}

extension String {
    fileprivate var dropLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
