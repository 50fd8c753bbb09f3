import HealthSyncDomain

/// Who may use a receiving server, and how much.
package struct ServeAccess: Sendable {
    /// The addresses and networks of the proxies that state the client's address; empty for those of this machine, `nil`
    /// without a proxy.
    package var proxies: [String]?
    /// Whether clients with private addresses may connect without TLS.
    package var admitsLocalNetwork: Bool
    /// The origins of pages that may use the API in a browser: `*`, or origins such as `https://example.org`.
    package var origins: [String]
    /// Maximum number of concurrent connections; `nil` for the default.
    package var connections: Int?
    /// Maximum number of concurrent connections from one address, including loopback; `nil` for 16, unlimited on loopback.
    package var connectionsPerAddress: Int?
    /// Maximum number of requests per minute from one address, including loopback; `nil` for 1,200, unlimited on loopback.
    package var requestsPerMinute: Int?

    static let declarations: [OptionDeclaration] = [
        .optionalValue(
            "behind-proxy", "ADDRESSES",
            "Trust X-Forwarded-For of the proxy with TLS at these addresses or networks", default: "127.0.0.0/8,::1"),
        .flag("lan", "Accept clients with private addresses over plain HTTP, with a token in a header or the path"),
        .value(
            "cors-origin", "ORIGINS", "Let pages of these origins use the API in a browser; * for all", default: "none"),
        .value("connections", "N", "Limit concurrent connections", default: "256"),
        .value(
            "connections-per-address", "N", "Limit concurrent connections from one address",
            default: "16; unlimited from this machine"),
        .value(
            "requests-per-minute", "N", "Limit requests per minute from one address",
            default: "1200; unlimited from this machine"),
    ]

    init(_ parsed: ParsedCommand) throws(SyncFailure) {
        proxies = parsed.has("behind-proxy") ? Self.list(parsed.text("behind-proxy")) : nil
        admitsLocalNetwork = parsed.has("lan")
        origins = Self.list(parsed.text("cors-origin"))
        if admitsLocalNetwork, proxies != nil || parsed.has("tls-cert") {
            throw .usage("--lan", "not needed with TLS or a proxy", advice: "omit it")
        }
        for origin in origins where origin != "*" && !Self.isOrigin(origin) {
            throw .usage(
                "--cors-origin", "invalid origin \"\(origin)\"",
                advice: "write it as https://example.org, without a path")
        }
        connections = try parsed.integer("connections", in: 1...100_000)
        connectionsPerAddress = try parsed.integer("connections-per-address", in: 1...100_000)
        requestsPerMinute = try parsed.integer("requests-per-minute", in: 1...1_000_000)
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { String($0.drop(while: { $0 == " " })) }
    }

    private static func isOrigin(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty && !parts[2].isEmpty
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
